import type { Logger } from "pino";
import type { Pod } from "../../engines/postgres/generated/client";
import type { Exited, Observation, Runtime } from "../../engines/runtime/runtime";
import { RuntimeError } from "../../engines/runtime/runtime";
import { ServiceError } from "../../kernel/errors";
import type { CloudCtx } from "../cloud-ctx";
import type { PodRuntime } from "./pod";
import type { PodEnv } from "./pod-fields";
import { noteSeen, type RunToKeep } from "./pods.sql";
import { runEnvironment } from "./run-environment";
import type { RunStep } from "./run-step";
import { sealSecrets } from "./sealed-secrets";
import { type RunEnd, settleEnd, settleStart } from "./settle-run";

export interface StepCtx extends Pick<CloudCtx, "db" | "sql" | "clock" | "secretsKey" | "encryptionKey" | "currency"> {
  runtime: Runtime;
  log: Pick<Logger, "error" | "warn">;
}

/** Between the stop signal and SIGKILL. */
export const GRACE_SECONDS = 30;
const BYTES_PER_MIB = 1024 ** 2;
const MILLIS_PER_CPU = 1000;

type Perform = (ctx: StepCtx, run: RunToKeep) => Promise<void>;

/** Carries out a step. Each can be repeated after a crash at any point. */
export const performStep = (ctx: StepCtx, run: RunToKeep, step: RunStep): Promise<void> => STEPS[step](ctx, run);

const STEPS: Readonly<Record<RunStep, Perform>> = {
  start,
  record_start: recordStart,
  record_seen: (ctx, { id }) => noteSeen(ctx.sql, [id], ctx.clock.now()),
  record_end: async (ctx, run) => recordEnd(ctx, run, await ctx.runtime.observe(run.id)),
  record_loss: recordLoss,
  record_no_start: (ctx, { id }) => settleEnd(ctx, id, { endedAt: ctx.clock.now(), outcome: "fail" }),
  stop: (ctx, run) => end(ctx, run, graceLeft(run, ctx.clock.now())),
  kill: (ctx, run) => end(ctx, run, 0),
  remove: async ({ db, runtime, clock }, { id }) => {
    await runtime.remove(id);
    await db.podRun.update({ where: { id }, data: { removedAt: clock.now(), sealedSecrets: null } });
  },
};

async function start(ctx: StepCtx, run: RunToKeep): Promise<void> {
  const { pod, endedAt } = await ctx.db.podRun.findUniqueOrThrow({ where: { id: run.id }, include: { pod: true } });
  // What was read before the step began may be out of date.
  if (endedAt || pod.deletedAt || pod.status !== "pending" || pod.runNumber !== run.number) return;
  const failure = await startProcess(ctx, run, pod);
  // What interrupted the start records the end.
  if (failure?.code === "terminated") return;
  if (failure) return settleEnd(ctx, run.id, { endedAt: ctx.clock.now(), outcome: "fail", reason: failure });
  const observed = await ctx.runtime.observe(run.id);
  if (observed.state === "running") await recordStart(ctx, run);
  else await recordEnd(ctx, run, observed);
}

/** Returns why the process could not be started. Throws for a failure of svc's own engines, after which it is tried again. */
async function startProcess(
  { db, runtime, log, ...ctx }: StepCtx,
  { id }: RunToKeep,
  pod: Pod,
): Promise<Reason | undefined> {
  const environment = await runEnvironment(ctx, pod, pod.env as PodEnv).catch(noSecretOrThrow);
  if ("code" in environment) return environment;
  const { env, secrets } = environment;
  // Before the process can print them.
  const sealedSecrets = secrets.length === 0 ? null : sealSecrets(ctx.encryptionKey, id, secrets);
  await db.podRun.update({ where: { id }, data: { sealedSecrets } });
  try {
    await runtime.ensure({
      ...{ id, image: { reference: pod.image }, env, network: "none" },
      ...(pod.command !== null && { command: pod.command as string[] }),
      hostname: pod.id.replace("_", "-"),
      limits: { memoryBytes: pod.memoryMb * BYTES_PER_MIB, cpuMillis: pod.cpu * MILLIS_PER_CPU },
    });
    return undefined;
  } catch (cause) {
    if (cause instanceof RuntimeError) return { code: cause.reason, message: cause.message };
    log.error({ err: cause, pod: pod.id }, "a pod could not be started");
    return RUNTIME_FAILED;
  }
}

interface Reason {
  code: string;
  message: string;
}

const RUNTIME_FAILED: Reason = {
  code: "runtime_failed",
  message: "The machine could not prepare the pod; its operator finds the reason in the log.",
};

function noSecretOrThrow(cause: unknown): Reason {
  if (cause instanceof ServiceError && cause.code === "unprocessable") {
    return { code: "no_such_secret", message: cause.message };
  }
  throw cause;
}

const runtimeOf = ({ runtime: { kind, isolation, limitsEnforced, gpu } }: StepCtx): PodRuntime => ({
  ...{ kind, isolation, limits_enforced: limitsEnforced, gpu },
});

async function recordStart(ctx: StepCtx, { id }: RunToKeep): Promise<void> {
  const observed = await ctx.runtime.observe(id);
  if (observed.state !== "running") return;
  await settleStart(ctx, id, { startedAt: observed.startedAt, runtime: runtimeOf(ctx) });
}

async function end(ctx: StepCtx, run: RunToKeep, graceSeconds: number): Promise<void> {
  const observed = await ctx.runtime.terminate(run.id, graceSeconds);
  if (observed.state === "exited") return recordEnd(ctx, run, observed);
  if (observed.state !== "absent") return;
  if (run.startedAt) await recordLoss(ctx, run);
  else await settleEnd(ctx, run.id, { endedAt: ctx.clock.now(), outcome: "fail" });
}

function graceLeft({ stopRequestedAt }: RunToKeep, now: Date): number {
  const waited = stopRequestedAt ? (now.getTime() - stopRequestedAt.getTime()) / 1000 : 0;
  return Math.min(GRACE_SECONDS, Math.max(0, GRACE_SECONDS - waited));
}

async function recordEnd(ctx: StepCtx, run: RunToKeep, observed: Observation): Promise<void> {
  if (observed.state !== "exited") return;
  if (observed.cause === "supervisor_lost") return recordLoss(ctx, run);
  await settleStart(ctx, run.id, { startedAt: observed.startedAt, runtime: runtimeOf(ctx) });
  await settleEnd(ctx, run.id, endOf(observed));
}

function endOf({ exitCode, signal, oomKilled, startedAt, exitedAt }: Exited): RunEnd {
  const exit = { code: exitCode, signal, oomKilled };
  const times = { startedAt, endedAt: exitedAt };
  if (exitCode === 0) return { ...times, exit, outcome: "complete" };
  const reason = oomKilled
    ? { code: "out_of_memory", message: "The kernel ended it, because it exceeded its memory." }
    : exitCode === null
      ? { code: "signal", message: `The process was ended by ${signal}.` }
      : { code: "exit_code", message: `The process ended with exit code ${exitCode}.` };
  return { ...times, exit, outcome: "fail", reason };
}

/** Nobody is charged for the time in which nothing is known to have run: the run ended when it was last seen. */
async function recordLoss(ctx: StepCtx, { id }: RunToKeep): Promise<void> {
  const row = await ctx.db.podRun.findUniqueOrThrow({ where: { id } });
  const endedAt = row.observedAt ?? row.startedAt ?? ctx.clock.now();
  await settleEnd(ctx, id, { endedAt, outcome: "fail", reason: LOST });
}

const LOST = {
  code: "lost",
  message: "The machine restarted, or what watches the process was ended; the process ended with it.",
};
