import { z } from "zod";
import { listScope } from "../../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { findFunction } from "./find-function";
import { functionExample, summaryExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";
import { InvocationSummary, toSummary } from "./invocation";

/** Lists the invocations of a function, newest first. Throws `not_found`. */
export const listFunctionInvocations = operation({
  id: "listFunctionInvocations",
  summary: "List the invocations of a function",
  description: "Those of the last day, at most the last 1,000 of the function.",
  access: "functions:read",
  input: z.strictObject({ ...PageQuery.shape, ...functionChoice }),
  output: pageOf(InvocationSummary),
  example: { input: { id: functionExample.id }, output: examplePage(summaryExample) },
  run: async (ctx: FunctionCtx, { id, ...page }) => {
    const { id: functionId } = await findFunction(ctx, id);
    return fetchPage(listScope(ctx, "function_invocations", { functionId }), page, async ({ after, take }) => {
      const rows = await ctx.db.functionInvocation.findMany({
        where: { functionId, ...(after !== undefined && { id: { lt: after } }) },
        omit: { payload: true, result: true, logs: true },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toSummary);
    });
  },
});
