import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { notFound } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { findFunction } from "./find-function";
import { functionExample, invocationExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";
import { Invocation, toInvocation } from "./invocation";

/** Returns an invocation with its result and what it printed. Throws `not_found`. */
export const getFunctionInvocation = operation({
  id: "getFunctionInvocation",
  summary: "Get an invocation, with its result and logs",
  access: "functions:read",
  input: z.strictObject({
    ...functionChoice,
    invocation_id: IdText.min(1).describe("The id of the invocation"),
  }),
  output: Invocation,
  example: { input: { id: functionExample.id, invocation_id: invocationExample.id }, output: invocationExample },
  run: async (ctx: FunctionCtx, { id, invocation_id: invocationId }) => {
    const { id: functionId } = await findFunction(ctx, id);
    const row = await ctx.db.functionInvocation.findFirst({ where: { id: invocationId, functionId } });
    if (!row) throw notFound("invocation", invocationId);
    return toInvocation(row);
  },
});
