import type { PodRun, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import { recordUsageInterval } from "../../core/meters/record-usage-interval";
import { secondsBetween } from "../../core/prices/pod-cost";
import { addCheckpoint } from "../checkpoints/checkpoint-rows";
import { addRun } from "../pod-records/add-run";
import { lockPod } from "../pod-records/pod-locks.sql";
import { isRequeuedAfterNotice, nextStatus, type PodCause } from "../pod-records/pod-states";
import { addToTimeline } from "../pod-records/pod-timeline";
import { LAST_RUN, purchaseOf, runIdOf, type StoredPod } from "../pod-records/stored-pod";
import { releaseDevices } from "../pools/gpu-devices.sql";
import { keepForReturn } from "../pools/nominations.sql";
import { reclaimedReason } from "./notice-reasons";
import { type PodCtx, type PodRuntime, toPod } from "./pod";
import { podCompleted, podFailed, podReady, podReclaimed, podStopped } from "./pod-run.events";
import { recordTrainingRun } from "./record-training-run";

export interface RecordRunCtx extends PodCtx {
  db: PrismaClient;
}

/** When the process of a run started, and on what. */
interface RunStart {
  startedAt: Date;
  runtime: Omit<PodRuntime, "gpu">;
  /** Whether the size of a volume is enforced; absent: there are none. */
  volumeEnforced?: boolean | undefined;
}

/** How a run ended; a sentence for people says why. */
export interface RunEnd {
  /** undefined: its process never ran. */
  startedAt?: Date | undefined;
  endedAt: Date;
  exit?: { code: number | null; signal: string | null; oomKilled: boolean } | undefined;
  /** What the pod becomes if it was not to stop and not to be reclaimed. */
  outcome: "complete" | "fail";
  /** Whether the node has the files of the run. */
  hasFiles?: boolean | undefined;
  reason?: { code: string; message: string } | undefined;
}

/** Records that the process of a run runs; does nothing the second time. */
export async function recordRunStart(
  ctx: RecordRunCtx,
  runId: string,
  { startedAt, runtime, volumeEnforced }: RunStart,
): Promise<void> {
  await inRun(ctx, runId, async (tx, { run, pod }) => {
    if (run.startedAt) return;
    const now = ctx.clock.now();
    await tx.podRun.update({ where: { id: runId }, data: { startedAt, observedAt: now } });
    const status = nextStatus(pod.status, "run") ?? pod.status;
    const row = await tx.pod.update({
      where: { id: pod.id },
      data: {
        status,
        startedAt,
        runtime: { ...runtime, gpu: gpuOf(pod) },
        ...(pod.secondsMax !== null && { expiresAt: new Date(startedAt.getTime() + pod.secondsMax * 1000) }),
        ...(pod.volumeGb !== null && volumeEnforced !== undefined && { volumeEnforced }),
      },
      include: LAST_RUN,
    });
    if (status !== "ready" || pod.deletedAt || pod.kind !== "pod") return;
    if (run.filesText !== null)
      await addToTimeline(tx, pod, { type: "files_restored", message: run.filesText, at: startedAt });
    await addToTimeline(tx, pod, { type: "ready", message: readyText(run), at: startedAt });
    await recordEvent(tx, { ...ownerOf(row), at: now }, { kind: podReady, data: toPod(row, ctx) });
  });
}

const gpuOf = ({ gpu, mode }: StoredPod): PodRuntime["gpu"] =>
  gpu === null ? "none" : mode === "live" ? "nvidia" : "simulated";

function readyText({ pulledBytes }: PodRun): string {
  if (pulledBytes === null) return "The process runs.";
  if (pulledBytes === 0n) return "The process runs. Its image was on the node.";
  return `The process runs. ${megabytesOf(pulledBytes)} MB of its image were pulled.`;
}

const megabytesOf = (bytes: bigint): string => (Math.ceil(Number(bytes) / 100_000) / 10).toFixed(1);

/** Records the end of a run: its usage, the status of its pod, the events; and releases its capacity. Once per run. */
export async function recordExit(ctx: RecordRunCtx, runId: string, end: RunEnd): Promise<void> {
  await inRun(ctx, runId, (tx, { run, pod }) => endRun(tx, ctx, { run, pod, end }));
}

/** Like `recordExit`, in a transaction in which the pod is locked. */
export async function endRun(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { run, pod, end }: { run: PodRun; pod: StoredPod; end: RunEnd },
): Promise<void> {
  const startedAt = end.startedAt ?? run.startedAt ?? undefined;
  const endedAt = startedAt && startedAt > end.endedAt ? startedAt : end.endedAt;
  const seconds = startedAt ? secondsBetween(startedAt, endedAt) : 0;
  if (startedAt) await recordUsage(tx, pod, { runId: run.id, from: startedAt, to: endedAt, seconds });
  await tx.podRun.update({ where: { id: run.id }, data: { endedAt, ...(startedAt && { startedAt }) } });
  await releaseDevices(tx, run.id);
  const cause = causeOf(pod, end);
  const status = nextStatus(pod.status, cause) ?? pod.status;
  const { exit } = end;
  const reason = pod.status === "reclaiming" ? reclaimedReason(pod) : end.reason;
  const row = await tx.pod.update({
    where: { id: pod.id },
    data: {
      status,
      stoppedAt: endedAt,
      meteredSeconds: { increment: seconds },
      ...(startedAt && { startedAt }),
      exitCode: exit?.code ?? null,
      exitSignal: exit?.signal ?? null,
      oomKilled: exit?.oomKilled ?? false,
      ...(pod.status !== "stopping" && { reasonCode: reason?.code ?? null, reasonText: reason?.message ?? null }),
    },
    include: LAST_RUN,
  });
  // What happens to sandboxes is announced by what ends them.
  if (pod.deletedAt || pod.kind !== "pod") return;
  const ended = pod.status === "reclaiming" ? await reclaim(tx, ctx, { pod: row, run, end: { ...end, endedAt } }) : row;
  await announceEnd(tx, ctx, ended);
}

function causeOf(pod: StoredPod, { outcome }: RunEnd): PodCause {
  if (pod.status === "stopping") return "end";
  if (pod.status !== "reclaiming") return outcome;
  return isRequeuedAfterNotice(pod) && !pod.deletedAt ? "requeue" : "end";
}

/**
 * Keeps the files of a run that ended after its notice, and lets the pod wait for capacity again if it is to. Not placed
 * here: the pod that needs the GPUs has waited for longer.
 */
async function reclaim(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { pod, run, end }: { pod: StoredPod; run: PodRun; end: RunEnd },
): Promise<StoredPod> {
  const now = ctx.clock.now();
  if (end.hasFiles) await addCheckpoint(tx, { podId: pod.id, run: run.number, cause: "reclaim", now });
  const message = end.hasFiles ? "The run has ended; a checkpoint of its files is saved." : "The run has ended.";
  await addToTimeline(tx, pod, { type: "reclaimed", message, at: end.endedAt });
  // A pod that is not spot keeps its place in the order.
  const waitsSince = pod.spot ? now : run.createdAt;
  if (pod.status === "pending") {
    const { runNumber } = await addRun(tx, pod, { origin: "files", now: waitsSince });
    await keepForReturn(tx, { ...run, tenantId: pod.tenantId, runId: runIdOf(pod.id, runNumber) });
  }
  const row = await tx.pod.findUniqueOrThrow({ where: { id: pod.id }, include: LAST_RUN });
  await recordEvent(tx, { ...ownerOf(row), at: now }, { kind: podReclaimed, data: toPod(row, ctx) });
  return row;
}

const ENDINGS = { stopped: podStopped, completed: podCompleted, failed: podFailed } as const;
const ENDING_TEXTS = {
  stopped: "All processes have ended.",
  completed: "The process ended with exit code 0.",
  failed: "",
};

async function announceEnd(tx: Prisma.TransactionClient, ctx: PodCtx, pod: StoredPod): Promise<void> {
  const { status } = pod;
  if (status !== "stopped" && status !== "completed" && status !== "failed") return;
  const at = ctx.clock.now();
  const message = ENDING_TEXTS[status] || (pod.reasonText ?? "It failed.");
  await addToTimeline(tx, pod, { type: status, message, at: pod.stoppedAt ?? at });
  await recordEvent(tx, { ...ownerOf(pod), at }, { kind: ENDINGS[status], data: toPod(pod, ctx) });
  if (status !== "stopped") await recordTrainingRun(tx, pod, at);
}

async function recordUsage(
  tx: Prisma.TransactionClient,
  pod: StoredPod,
  interval: { runId: string; from: Date; to: Date; seconds: number },
): Promise<void> {
  const used = { ...interval, purchase: purchaseOf(pod) };
  const { id: podId, priceNanosPerHour } = pod;
  await tx.podUsage.create({ data: { ...used, ...ownerOf(pod), podId, priceNanosPerHour } });
  await recordUsageInterval(tx, pod, used);
}

const ownerOf = ({ tenantId, projectId, mode }: StoredPod) => ({ tenantId, projectId, mode });

/** Runs a change in a transaction that locks the pod, unless the run has ended or is no longer the pod's current one. */
async function inRun(
  { db }: RecordRunCtx,
  runId: string,
  change: (tx: Prisma.TransactionClient, of: { run: PodRun; pod: StoredPod }) => Promise<void>,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { podId } = (await tx.podRun.findUnique({ where: { id: runId } })) ?? {};
    if (podId === undefined || !(await lockPod(tx, podId))) return;
    const pod = await tx.pod.findUniqueOrThrow({ where: { id: podId }, include: LAST_RUN });
    const [run] = pod.runs;
    if (run?.id === runId && !run.endedAt) await change(tx, { run, pod });
  });
}
