import type { z } from "zod";
import type { KeyCtx } from "../../server/identity/identity-ctx";
import { assertQuota } from "../../server/identity/quotas/assert-quota";
import type { Operation } from "../../server/operation/operation";
import { runCall } from "../../server/operation/pipeline";
import { TEST_REQUEST } from "./app";

/** Calls an operation as a surface does, with access, input and quota checked; without rate limits. */
export const throughPipeline = <I extends z.ZodObject, O extends z.ZodType>(
  ctx: Pick<KeyCtx, "actor" | "db" | "counters">,
  operation: Operation<never, I, O>,
  input: z.input<I>,
): Promise<z.output<O>> =>
  runCall(
    {
      countCall: async () => [],
      contextOf: () => ctx,
      assertQuota,
    },
    {
      meta: TEST_REQUEST,
      authenticate: () => ({ actor: ctx.actor }),
      target: operation as never,
      readInput: async () => ({ sent: input as object as never, input: operation.input.parse(input) as never }),
      respond: (result) => result as z.output<O>,
    },
  );
