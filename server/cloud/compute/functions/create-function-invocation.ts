import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { operation } from "../../cloud-operation";
import { findFunction } from "./find-function";
import { functionExample, queuedExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";
import { INVOCATION_ID_PREFIX, Invocation, toInvocation } from "./invocation";
import { Payload, payloadText } from "./payload";

/** Of one project; payloads have at most 256 KiB. */
const QUEUED_MAX = 1000;

/** Lets a function be called soon. Throws `not_found`, and `rate_limited` (reason `queue_full`). */
export const createFunctionInvocation = operation({
  id: "createFunctionInvocation",
  summary: "Call a function without waiting",
  description:
    "Returns at once; `GET …/invocations/{invocation_id}` has the result for a day. Invocations begin in order, as far as the function may run at once. Each runs once; one whose process ends fails with the reason `interrupted`. With `retries_max` one that fails runs again after 10 seconds, then 20, 40 and so on. Up to 1,000 of a project wait.",
  access: "functions:write",
  stores: true,
  idempotent: true,
  result: "accepted",
  input: z.strictObject({
    ...functionChoice,
    payload: Payload.optional().describe("A JSON value of at most 256 KiB, which the function receives; default null"),
  }),
  output: Invocation,
  example: { input: { id: functionExample.id, payload: { prices: [40, 2] } }, output: queuedExample },
  run: async (ctx: FunctionCtx, { id: asked, payload = null }) => {
    const { db, clock } = ctx;
    const fn = await findFunction(ctx, asked);
    const { id: functionId, tenantId, projectId, mode, version } = fn;
    if ((await db.functionInvocation.count({ where: { projectId, status: "queued" } })) >= QUEUED_MAX)
      throw queueFull();
    const text = payloadText(payload, fn);
    await ctx.storedBytes.take(tenantId, "functions", Buffer.byteLength(text));
    const createdAt = clock.now();
    const row = await db.functionInvocation.create({
      data: {
        id: newId(INVOCATION_ID_PREFIX, createdAt.getTime()),
        tenantId,
        projectId,
        mode,
        functionId,
        version,
        createdAt,
        isAsync: true,
        status: "queued",
        payload: text,
        logs: "[]",
      },
    });
    return toInvocation(row);
  },
});

const queueFull = (): ServiceError =>
  new ServiceError("rate_limited", `${QUEUED_MAX} invocations of this project wait already; retry later.`, {
    retryAfterSeconds: 5,
    details: { reason: "queue_full" },
  });
