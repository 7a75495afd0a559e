import { z } from "zod";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import { operation } from "../../cloud-operation";
import { requireReveal } from "../workers/require-reveal";
import { refuseTakenName } from "./create-function";
import { findFunction, lockFunction } from "./find-function";
import { CloudFunction, functionTarget, scheduleFields, toFunction } from "./function";
import { functionUpdated, recorded } from "./function.events";
import { functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice, functionFields } from "./function-fields";

export const UpdateFunction = z.strictObject({
  ...functionChoice,
  name: functionFields.name.optional(),
  env: functionFields.env.optional(),
  timeout_ms: functionFields.timeout_ms.optional(),
  concurrency_max: functionFields.concurrency_max.optional(),
  schedule: functionFields.schedule.optional(),
  retries_max: functionFields.retries_max.optional(),
});

/** Changes the given settings from the next invocation on. Throws `not_found` and `conflict` (reason `name_taken`). */
export const updateFunction = operation({
  id: "updateFunction",
  summary: "Update the settings of a function",
  description:
    "Changes apply from the next invocation on. `env` replaces all variables, and `schedule: null` ends a schedule. Code is deployed as a version.",
  access: "functions:write",
  input: UpdateFunction,
  output: CloudFunction,
  example: {
    input: { id: functionExample.id, timeout_ms: 20_000 },
    output: { ...functionExample, timeout_ms: 20_000 },
  },
  run: async (ctx: FunctionCtx, { id: asked, name, env, schedule, ...limits }) => {
    const { id } = await findFunction(ctx, asked);
    return ctx.db.$transaction(async (tx) => {
      const before = await lockFunction(tx, id);
      requireReveal(ctx.actor, env ?? {});
      const now = ctx.clock.now();
      if (name !== undefined && name !== before.name) await refuseTakenName(tx, before, name);
      const row = await tx.cloudFunction.update({
        where: { id },
        data: {
          ...(name !== undefined && { name }),
          ...(env !== undefined && { env }),
          ...(schedule !== undefined && scheduleFields(schedule, now, before)),
          ...limitFields(limits),
          updatedAt: now,
        },
      });
      const [old, updated] = [toFunction(before), toFunction(row)];
      const { projectId, mode } = row;
      const event = (changed: string[]) =>
        newEvent(functionUpdated, { ...recorded(updated), changed }, { projectId, mode });
      const hidden = ["env", "schedule"] as const;
      await recordUpdate(tx, ctx, { target: functionTarget(row), before: old, after: updated, hidden, event });
      return updated;
    });
  },
});

type Limits = Pick<z.output<typeof UpdateFunction>, "timeout_ms" | "concurrency_max" | "retries_max">;

const limitFields = ({ timeout_ms, concurrency_max, retries_max }: Limits) => ({
  ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
  ...(concurrency_max !== undefined && { concurrencyMax: concurrency_max }),
  ...(retries_max !== undefined && { retriesMax: retries_max }),
});
