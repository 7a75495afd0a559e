import type { Logger } from "pino";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { Pod, PodRun } from "../../../engines/postgres/generated/client";
import type { Exited, Observation, Runtime, StartReport } from "../../../engines/runtime/runtime";
import { RuntimeError } from "../../../engines/runtime/runtime";
import type { MountedVolume } from "../../../engines/runtime/runtime-volumes";
import { ServiceError } from "../../../kernel/errors";
import { openMounts } from "../../data/volumes/attach-volumes";
import type { PodMount } from "../../data/volumes/pod-mounts";
import { takeAddress } from "../../net/private-networks/take-address";
import { gpusOfRun } from "../gpu-nodes/gpus-of-run";
import type { UsedRuntime } from "../nodes/nodes";
import { runsMode, TEST_KEYS_ONLY } from "../placement/eligible-nodes";
import { GRACE_SECONDS } from "../pod-records/grace-times";
import type { PodEnv } from "../pod-requests/pod-fields";
import { giveNotice } from "./give-notice";
import type { RunToKeep } from "./pods.sql";
import type { PodsCtx } from "./pods-ctx";
import { type RunEnd, recordExit, recordRunStart } from "./record-run";
import { runEnvironment, runImage } from "./run-environment";
import { filesFailure, openRunFiles, type RunFiles } from "./run-files";
import type { RunStep } from "./run-step";
import { openRunVolume, prepareVolume, type RunVolume } from "./run-volume";
import { sealSecrets } from "./sealed-secrets";
import type { SeenRuns } from "./seen-runs";

export interface StepCtx
  extends Pick<PodsCtx, "db" | "sql" | "clock" | "secretsKey" | "encryptionKey" | "currency" | "publicUrl"> {
  runtime: Runtime;
  nodeId: string;
  reach(nodeId: string): Promise<UsedRuntime>;
  /** Sends the node which names the pods of its networks have now. */
  updateNetworks(): Promise<void>;
  blobs: BlobStore;
  log: Pick<Logger, "error" | "warn">;
  seen: SeenRuns;
}

const BYTES_PER_MIB = 1024 ** 2;
const MILLIS_PER_CPU = 1000;
/** Processes and threads. */
const SANDBOX_PROCESSES_MAX = 1024;

/** Runs that are seen running are recorded together. */
export type StepToPerform = Exclude<RunStep, "record_seen">;

/** Resolves with "later" if the step must be tried again, because something else comes first. */
type Perform = (ctx: StepCtx, run: RunToKeep) => Promise<unknown>;

/** Carries out a step. Each can be repeated after a crash at any point. */
export const performStep: (...args: [...Parameters<Perform>, step: StepToPerform]) => Promise<unknown> = (
  ctx,
  run,
  step,
) => STEPS[step](ctx, run);

const STEPS: Readonly<Record<StepToPerform, Perform>> = {
  start,
  record_start: recordStart,
  record_end: async (ctx, run) => recordEnd(ctx, run, await ctx.runtime.observe(run.id)),
  record_loss: (ctx, run) => recordLoss(ctx, run),
  record_no_start: (ctx, { id }) => recordExit(ctx, id, { endedAt: ctx.clock.now(), outcome: "fail" }),
  stop: (ctx, run) => end(ctx, run, graceLeft(run, ctx.clock.now())),
  reclaim: async (ctx, run) => {
    await giveNotice(ctx, run);
    await end(ctx, run, graceLeft(run, ctx.clock.now()));
  },
  kill: (ctx, run) => end(ctx, run, 0),
  remove: async ({ db, runtime, clock }, run) => {
    const { id } = run;
    await runtime.remove(id);
    if (run.volumeId !== null && (await isLastWithVolume(db, run))) await runtime.volumes?.remove(run.volumeId);
    await db.podRun.update({ where: { id }, data: { removedAt: clock.now(), sealedSecrets: null } });
  },
};

/** Whether no other run of a pod continues with the volume of a run. */
const isLastWithVolume = async (db: StepCtx["db"], { id, podId, volumeId, isDeleted }: RunToKeep): Promise<boolean> =>
  isDeleted || (await db.podRun.count({ where: { podId, volumeId, removedAt: null, id: { not: id } } })) === 0;

async function start(ctx: StepCtx, run: RunToKeep): Promise<"later" | undefined> {
  const { pod, ...row } = await ctx.db.podRun.findUniqueOrThrow({ where: { id: run.id }, include: { pod: true } });
  // What was read before the step began may be out of date.
  if (row.endedAt || pod.deletedAt || pod.status !== "pending" || pod.runNumber !== run.number) return undefined;
  // The node may have run pods in another way when it was placed.
  if (!runsMode(ctx.runtime, pod.mode)) {
    const reason = { code: "no_runtime", message: TEST_KEYS_ONLY };
    await recordExit(ctx, run.id, { endedAt: ctx.clock.now(), outcome: "fail", reason });
    return undefined;
  }
  const volume = await openRunVolume(ctx, { run: row, pod });
  if (volume === "later") return volume;
  const files = await openRunFiles(ctx, row);
  if (files === "later") return files;
  const mounts = await openMounts(ctx.db, {
    owner: pod,
    network: pod,
    mounts: pod.mounts as unknown as PodMount[],
    nodeId: ctx.nodeId,
  });
  const started =
    volume && "code" in volume
      ? volume
      : "code" in mounts
        ? mounts
        : await startProcess(ctx, { pod, run: row, files, volume, mounts }).finally(() => files.restore?.destroy());
  if ("code" in started) {
    const end = { endedAt: ctx.clock.now(), outcome: "fail" as const, reason: started };
    // What interrupted the start records the end.
    if (started.code !== "terminated") await recordExit(ctx, run.id, end);
    return undefined;
  }
  const { pulledBytes } = started;
  // A repeated step does not know what the first one pulled.
  if (pulledBytes !== null) await ctx.db.podRun.update({ where: { id: run.id }, data: { pulledBytes } });
  const observed = await ctx.runtime.observe(run.id);
  if (observed.state === "running") await recordStart(ctx, run);
  else await recordEnd(ctx, run, observed);
  return undefined;
}

interface Start {
  run: PodRun;
  pod: Pod;
  files: RunFiles;
  volume: RunVolume | undefined;
  /** Shared volumes. */
  mounts: readonly MountedVolume[];
}

/** Returns what the start did, or why the process could not be started. Throws for a failure of svc's own engines, after which it is tried again. */
async function startProcess(
  { db, runtime, log, ...ctx }: StepCtx,
  { run, pod, files, volume, mounts }: Start,
): Promise<StartReport | Reason> {
  const { id } = run;
  const values = await givenTo(ctx, pod).catch(noSecretOrThrow);
  if ("code" in values) return values;
  const { env, secrets, image } = values;
  // Before the process can print them.
  const sealedSecrets = secrets.length === 0 ? null : sealSecrets(ctx.encryptionKey, id, secrets);
  const { restore, checkpointId = null } = files;
  const filesText = [files.text, volume?.text].filter(Boolean).join(" ") || null;
  await db.podRun.update({
    where: { id },
    data: { sealedSecrets, filesText, checkpointId, volumeId: volume?.id ?? null },
  });
  try {
    const unreadable = volume && (await prepareVolume(runtime.volumes, volume));
    if (unreadable) return unreadable;
    const joined = await takeAddress(db, pod);
    if (joined && "code" in joined) return joined;
    if (joined && !runtime.networks) return NO_NETWORKS;
    if (joined) await ctx.updateNetworks();
    const gpus = await gpusOfRun(db, run);
    const given = {
      id,
      image,
      env,
      ...(gpus && { gpus }),
      ...(joined && { privateNetwork: joined }),
      volumes: [...(volume ? [{ id: volume.id, path: volume.path }] : []), ...mounts],
    };
    return await runtime.ensure({ ...allocationOf(pod), ...given }, { restore });
  } catch (cause) {
    if (cause instanceof RuntimeError && cause.reason === "terminated") return TERMINATED;
    const failed = filesFailure(files);
    if (failed) return failed;
    if (cause instanceof RuntimeError) return { code: cause.reason, message: cause.message };
    log.error({ err: cause, pod: pod.id }, "a pod could not be started");
    return RUNTIME_FAILED;
  }
}

/** Its image and environment, with the values of secrets. */
const givenTo = async (ctx: Pick<StepCtx, "sql" | "secretsKey">, pod: Pod) => ({
  ...(await runEnvironment(ctx, pod, pod.env as PodEnv)),
  image: await runImage(ctx, pod),
});

const allocationOf = ({ id, kind, command, memoryMb, cpu }: Pod) => ({
  network: "http" as const,
  hostname: id.replace("_", "-"),
  ...(command !== null && { command: command as string[] }),
  limits: {
    memoryBytes: memoryMb * BYTES_PER_MIB,
    cpuMillis: cpu * MILLIS_PER_CPU,
    ...(kind !== "pod" && { pids: SANDBOX_PROCESSES_MAX }),
  },
});

interface Reason {
  code: string;
  message: string;
}

const NO_NETWORKS: Reason = {
  code: "not_supported",
  message: "The node cannot separate private networks any more; its operator finds the reason in the log.",
};
const TERMINATED: Reason = { code: "terminated", message: "It was ended while it was prepared." };
const RUNTIME_FAILED: Reason = {
  code: "runtime_failed",
  message: "The node could not prepare the pod; its operator finds the reason in the log.",
};

function noSecretOrThrow(cause: unknown): Reason {
  if (cause instanceof ServiceError && cause.code === "unprocessable") {
    return { code: "no_such_secret", message: cause.message };
  }
  throw cause;
}

/** What runs a pod, as its record shows it. */
const runtimeOf = ({ runtime: { kind, isolation, limitsEnforced, volumes } }: StepCtx) => ({
  runtime: { kind, isolation, limits_enforced: limitsEnforced },
  volumeEnforced: volumes?.isEnforced,
});

async function recordStart(ctx: StepCtx, { id }: RunToKeep): Promise<void> {
  const observed = await ctx.runtime.observe(id);
  if (observed.state !== "running") return;
  await recordRunStart(ctx, id, { startedAt: observed.startedAt, ...runtimeOf(ctx) });
}

async function end(ctx: StepCtx, run: RunToKeep, graceSeconds: number): Promise<void> {
  const observed = await ctx.runtime.terminate(run.id, graceSeconds);
  if (observed.state === "exited") return recordEnd(ctx, run, observed);
  if (observed.state !== "absent") return;
  if (run.startedAt) await recordLoss(ctx, run);
  else await recordExit(ctx, run.id, { endedAt: ctx.clock.now(), outcome: "fail" });
}

/** Seconds until what runs is killed: the grace of a stop, and at the latest the end of the notice. */
function graceLeft({ stopRequestedAt, reclaimAt }: RunToKeep, now: Date): number {
  const graceEnds = (stopRequestedAt ?? now).getTime() + GRACE_SECONDS * 1000;
  const ends = Math.min(graceEnds, reclaimAt?.getTime() ?? graceEnds);
  return Math.max(0, (ends - now.getTime()) / 1000);
}

async function recordEnd(ctx: StepCtx, run: RunToKeep, observed: Observation): Promise<void> {
  if (observed.state !== "exited") return;
  if (observed.cause === "supervisor_lost") return recordLoss(ctx, run, { hasFiles: ctx.runtime.snapshots !== false });
  await recordRunStart(ctx, run.id, { startedAt: observed.startedAt, ...runtimeOf(ctx) });
  const hasFiles = ctx.runtime.snapshots !== false;
  await recordExit(ctx, run.id, { ...endOf(observed), hasFiles });
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
async function recordLoss(ctx: StepCtx, { id }: RunToKeep, { hasFiles = false } = {}): Promise<void> {
  const row = await ctx.db.podRun.findUniqueOrThrow({ where: { id } });
  const endedAt = ctx.seen.lastSeen(row) ?? ctx.clock.now();
  await recordExit(ctx, id, { endedAt, outcome: "fail", reason: LOST, hasFiles });
}

const LOST = {
  code: "lost",
  message: "The node restarted, or what watches the process was ended; the process ended with it.",
};
