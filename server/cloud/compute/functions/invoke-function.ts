import { z } from "zod";
import { newId } from "../../../kernel/ids";
import { operation } from "../../cloud-operation";
import type { CodeEnv } from "../workers/code-env";
import { findFunction } from "./find-function";
import { functionExample, invocationExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { FUNCTION_INPUT_LIMITS, functionChoice } from "./function-fields";
import { INVOCATION_ID_PREFIX, Invocation, toInvocation } from "./invocation";
import { endedFields, meteredFields } from "./invocation-row";
import { Payload, payloadText } from "./payload";

/**
 * Calls a function and returns what it returned, how it failed, and what it printed. Throws `not_found`, `rate_limited`
 * (reason `concurrency`) and `unavailable`.
 */
export const invokeFunction = operation({
  id: "invokeFunction",
  summary: "Call a function and wait for its result",
  description:
    "Returns the invocation once it has ended, with `status` `succeeded` or `failed`: code that throws, takes longer than `timeout_ms`, computes for more than 1.5 seconds without a pause or uses too much memory is no error of the request. The invocation is kept for a day without its result.",
  access: "functions:write",
  takesLong: true,
  stores: true,
  inputLimits: FUNCTION_INPUT_LIMITS,
  input: z.strictObject({ ...functionChoice, payload: Payload.optional() }),
  output: Invocation,
  example: {
    input: { id: functionExample.id, payload: { prices: [40, 2] } },
    output: invocationExample,
  },
  run: async (ctx: FunctionCtx, { id: asked, payload = null }, options) => {
    const { db, clock, functions } = ctx;
    const fn = await findFunction(ctx, asked);
    const createdAt = clock.now();
    const id = newId(INVOCATION_ID_PREFIX, createdAt.getTime());
    const { version } = fn;
    const run = { invocationId: id, version, payload: payloadText(payload, fn), signal: options?.signal };
    const outcome = await functions.run({ ...fn, env: fn.env as CodeEnv }, run);
    const { tenantId, projectId, mode } = fn;
    const owner = { tenantId, projectId, mode, functionId: fn.id };
    const begun = { isAsync: false, scheduledAt: null, attempt: 1, createdAt, startedAt: createdAt };
    const row = { id, ...owner, version, ...begun, ...endedFields(outcome, clock.now()) };
    // The client has the result.
    await db.functionInvocation.create({ data: { ...row, result: null, ...meteredFields(outcome, fn) } });
    ctx.storedBytes.count(tenantId, "functions", Buffer.byteLength(row.logs));
    return toInvocation(row);
  },
});
