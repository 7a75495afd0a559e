import { z } from "zod";
import { ownerPage } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { CloudFunction, toFunction } from "./function";
import { functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";

/** Lists the functions of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listFunctions = operation({
  id: "listFunctions",
  summary: "List functions",
  access: "functions:read",
  input: z.strictObject(ownerPage("functions")),
  output: pageOf(CloudFunction),
  example: { input: { limit: 50 }, output: examplePage(functionExample) },
  run: (ctx: FunctionCtx, input) =>
    pageOfOwner(ctx, { list: "functions", input }, async (page) => {
      const rows = await ctx.db.cloudFunction.findMany(page);
      return rows.map(toFunction);
    }),
});
