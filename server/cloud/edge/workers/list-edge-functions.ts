import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerPage } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { EdgeFunction, toEdgeFunction } from "./edge-function";
import { edgeExample } from "./edge-function.example";

/** Lists the edge functions of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listEdgeFunctions = operation({
  id: "listEdgeFunctions",
  summary: "List edge functions",
  access: "edge:read",
  input: z.strictObject(ownerPage("edge functions")),
  output: pageOf(EdgeFunction),
  example: { input: { limit: 50 }, output: examplePage(edgeExample) },
  run: (ctx: ActorCtx & Pick<EdgeCtx, "edge">, input) =>
    pageOfOwner(ctx, { list: "edge_functions", input }, async (page) => {
      const rows = await ctx.db.edgeFunction.findMany(page);
      return rows.map((row) => toEdgeFunction(ctx, row));
    }),
});
