import { z } from "zod";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { findFunction } from "./find-function";
import { functionExample, versionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";
import { FunctionVersion } from "./function-version";
import { versionsOf } from "./functions.sql";

/** Lists the versions of a function that are kept, newest first, on one page. Throws `not_found`. */
export const listFunctionVersions = operation({
  id: "listFunctionVersions",
  summary: "List the versions of a function",
  access: "functions:read",
  input: z.strictObject(functionChoice),
  output: pageOf(FunctionVersion),
  example: { input: { id: functionExample.id }, output: examplePage(versionExample) },
  run: async (ctx: FunctionCtx, { id }) => {
    const fn = await findFunction(ctx, id);
    return { data: await versionsOf(ctx.sql, fn.id), next_cursor: null };
  },
});
