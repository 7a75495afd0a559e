import type { Logger } from "pino";
import type { Counters } from "../../engines/counters/counters";
import type { Tasks } from "../../engines/jobs/start-jobs";
import { recordEvent } from "../../identity/events/record-event";
import { repeat } from "../../kernel/repeat";
import type { CloudCtx } from "../cloud-ctx";
import { lockPod } from "../pods/pods.sql";
import { requestStop } from "../pods/request-stop";
import { wakePods } from "../pods/wake-pods";
import { readSandbox } from "./find-sandbox";
import { toSandbox } from "./sandbox";
import { sandboxEnded, shown } from "./sandbox.events";
import { deleteOutputs, endedSandboxes, interruptedSandboxes } from "./sandboxes.sql";

type SandboxesCtx = Pick<CloudCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

export interface StartSandboxes extends SandboxesCtx {
  counters: Pick<Counters, "publish">;
  log: Pick<Logger, "info" | "warn">;
}

const ROUND_MS = 1000;
/** Calls note every 10 s that they wait for a command. */
const INTERRUPTED_MS = 60_000;
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
export function startSandboxes({ log, counters, ...ctx }: StartSandboxes): { stop(): Promise<void> } {
  return repeat({ everyMs: ROUND_MS, log, purpose: "look after sandboxes" }, async () => {
    const interrupted = await interruptedSandboxes(ctx.sql, new Date(ctx.clock.now().getTime() - INTERRUPTED_MS));
    for (const id of interrupted) await endInterrupted(ctx, id);
    if (interrupted.length > 0) await wakePods(counters);
    for (const id of await endedSandboxes(ctx.sql)) await announceEnd(ctx, id);
  });
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
