import type { Tasks } from "../../../engines/jobs/start-jobs";
import type { StartedAlarms } from "../../../engines/start-alarms";
import { recordEvent } from "../../../identity/events/record-event";
import type { RunningRound } from "../../../kernel/alarms";
import { lockPod } from "../pod-records/pod-locks.sql";
import type { PodsCtx } from "../pods/pods-ctx";
import { requestStop } from "../pods/request-stop";
import { readSandbox } from "./find-sandbox";
import { toSandbox } from "./sandbox";
import { sandboxEnded, shown } from "./sandbox.events";
import { deleteOutputs, endedSandboxes, interruptedSandboxes, NEXT_INTERRUPTED, PER_ROUND } from "./sandboxes.sql";

type SandboxesCtx = Pick<PodsCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

export interface StartSandboxes extends SandboxesCtx {
  alarms: Pick<StartedAlarms, "add">;
}

const INTERRUPTED = {
  code: "interrupted",
  message: "svc was ended while its command ran, or the request that was to run it.",
};
const OUTPUT_MS = 24 * 3600 * 1000;
const DELETE_OUTPUTS = "delete_sandbox_outputs";
export const SANDBOXES_CRONTAB = `43 * * * * ${DELETE_OUTPUTS}`;

export const sandboxTasks = ({ sql, clock }: Pick<SandboxesCtx, "sql" | "clock">) =>
  ({
    [DELETE_OUTPUTS]: () => deleteOutputs(sql, new Date(clock.now().getTime() - OUTPUT_MS)),
  }) satisfies Tasks;

/**
 * Announces the ends of sandboxes, and ends those whose command nobody waits for, in the background until `stop`;
 * several processes may do so at the same time.
 */
export function startSandboxes({ alarms, ...ctx }: StartSandboxes): RunningRound {
  const round = async () => {
    const interrupted = await interruptedSandboxes(ctx.sql, ctx.clock.now());
    for (const id of interrupted) await endInterrupted(ctx, id);
    const ended = await endedSandboxes(ctx.sql);
    for (const id of ended) await announceEnd(ctx, id);
    return ended.length === PER_ROUND;
  };
  const purpose = "end sandboxes";
  return alarms.add({ topic: "sandboxes", purpose, nextDue: NEXT_INTERRUPTED, run: round });
}

async function endInterrupted(ctx: SandboxesCtx, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPod(tx, id);
    await requestStop(tx, ctx, { pod: (await readSandbox(tx, id)).pod, reason: INTERRUPTED });
  });
}

async function announceEnd(ctx: SandboxesCtx, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPod(tx, id);
    const at = ctx.clock.now();
    const { count } = await tx.sandbox.updateMany({ where: { id, endedAt: null }, data: { endedAt: at } });
    if (count === 0) return;
    const stored = await readSandbox(tx, id);
    const { tenantId, projectId, mode } = stored.pod;
    const data = shown(toSandbox(stored, ctx));
    await recordEvent(tx, { tenantId, projectId, mode, at }, { kind: sandboxEnded, data });
  });
}
