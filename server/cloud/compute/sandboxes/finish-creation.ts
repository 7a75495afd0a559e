import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { pause } from "../../../kernel/pause";
import { START_WAIT_MS, untilStarted } from "../inside/until-started";
import { lockPod } from "../pod-records/pod-locks.sql";
import type { StoredPod } from "../pod-records/stored-pod";
import { type Executed, executeToEnd } from "../pods/execute-to-end";
import type { PodsCtx } from "../pods/pods-ctx";
import { reachRun } from "../pods/reach-run";
import { requestStop } from "../pods/request-stop";
import { startFailure } from "../pods/start-failure";
import { readSandbox } from "./find-sandbox";
import { type Sandbox, statusOf, storedOutput, toSandbox } from "./sandbox";
import { COMMANDS, takeCommand } from "./sandboxes.sql";

const LOOK_MS = 200;

/** Waits until a new sandbox runs or its command has ended; of several calls for one sandbox, the first runs the command. */
export async function finishCreation(
  ctx: ActorCtx & Pick<PodsCtx, "currency" | "encryptionKey" | "podRuns" | "publicUrl" | "sql" | "stopping">,
  id: string,
  disconnected?: AbortSignal,
): Promise<Sandbox> {
  const signal = AbortSignal.any([ctx.stopping, ...(disconnected ? [disconnected] : [])]);
  const { row } = await readSandbox(ctx.db, id);
  if (row.command === null) await untilStarted(ctx, id, { signal, ms: START_WAIT_MS });
  else {
    const lease = await takeCommand(ctx.sql, id, ctx.clock.now());
    if (!lease) await untilCommandEnded(ctx, id, signal);
    else {
      const extend = () => COMMANDS.extend(ctx.sql, lease, { now: ctx.clock.now() });
      const kept = COMMANDS.keep(id, { extend });
      await runCommand(ctx, { id, command: row.command, signal }).finally(kept.stop);
    }
  }
  return toSandbox(await readSandbox(ctx.db, id), ctx);
}

async function untilCommandEnded({ db }: ActorCtx, id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { pod, row } = await readSandbox(db, id);
    if (row.commandEndedAt || statusOf(pod) === "ended" || signal.aborted) return;
    await pause(LOOK_MS, signal);
  }
}

interface Run {
  id: string;
  command: unknown;
  signal: AbortSignal;
}

async function runCommand(
  ctx: ActorCtx & Pick<PodsCtx, "currency" | "encryptionKey" | "podRuns" | "publicUrl">,
  { id, command, signal }: Run,
): Promise<void> {
  const pod = await untilStarted(ctx, id, { signal, ms: Number.POSITIVE_INFINITY });
  if (statusOf(pod) === "ended") return recordCommandResult(ctx, id, {});
  if (signal.aborted) return recordCommandResult(ctx, id, { reason: DISCONNECTED });
  try {
    const executed = await execute(ctx, pod, { command: command as string[], signal });
    const isLate = executed.timed_out || ctx.clock.now() >= pod.expiresAt;
    await recordCommandResult(ctx, id, {
      executed: { ...executed, timed_out: isLate },
      reason: reasonOf(pod, isLate, signal),
    });
  } catch (cause) {
    if (!(cause instanceof ServiceError)) {
      await recordCommandResult(ctx, id, { reason: FAILED });
      throw cause;
    }
    await recordCommandResult(ctx, id, {
      reason: { code: String(cause.details?.reason ?? cause.code), message: cause.message },
    });
  }
}

async function execute(
  ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns">,
  pod: StoredPod,
  { command, signal }: { command: string[]; signal: AbortSignal },
): Promise<Executed> {
  const reached = await reachRun(ctx, pod);
  if (!reached) throw new ServiceError("conflict", "The sandbox does not run.", { details: { reason: "not_running" } });
  const execution = await reached.runtime.exec(reached.run.id, command).catch(startFailure);
  const timeoutMs = Math.max(1, pod.expiresAt.getTime() - ctx.clock.now().getTime());
  return executeToEnd(execution, { timeoutMs, signal, secrets: reached.secrets });
}

interface Reason {
  code: string;
  message: string;
}

const ENDED: Reason = { code: "command_ended", message: "Its command has ended." };
const DISCONNECTED: Reason = { code: "disconnected", message: "The request that ran its command was ended." };
const FAILED: Reason = { code: "failed", message: "Its command could not be run." };

function reasonOf({ secondsMax }: StoredPod, isLate: boolean, signal: AbortSignal): Reason {
  if (isLate) return { code: "timed_out", message: `It has run for its ${secondsMax} seconds.` };
  return signal.aborted ? DISCONNECTED : ENDED;
}

/** Stores the result of a command, and ends the sandbox unless it is kept alive. */
async function recordCommandResult(
  ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">,
  id: string,
  { executed, reason }: { executed?: Executed; reason?: Reason },
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPod(tx, id);
    await tx.sandbox.update({
      where: { id },
      data: { commandEndedAt: ctx.clock.now(), ...(executed && resultOf(executed)) },
    });
    const { pod, row } = await readSandbox(tx, id);
    const isKept = row.keepAlive && (reason === ENDED || reason === DISCONNECTED) && executed !== undefined;
    if (reason && !isKept) await requestStop(tx, ctx, { pod, reason });
  });
}

const resultOf = ({ exit_code: exitCode, signal: exitSignal, timed_out: timedOut, ...output }: Executed) => ({
  exitCode,
  exitSignal,
  timedOut,
  output: storedOutput(output),
});
