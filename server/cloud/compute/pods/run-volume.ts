import type { Readable } from "node:stream";
import type { Pod, PodRun } from "../../../engines/postgres/generated/client";
import type { RuntimeVolumes } from "../../../engines/runtime/runtime-volumes";
import { readCheckpoint } from "../checkpoints/read-checkpoint";
import { type FilesCtx, filesFailure, runBefore, runtimeWithFiles } from "./run-files";

/** The volume with which a run starts. */
export interface RunVolume {
  id: string;
  path: string;
  bytes: number;
  /** Whether its node has it already; otherwise it is made. */
  isInPlace: boolean;
  /** The files to make it with; undefined: none. */
  open?: (() => Readable) | undefined;
  /** For the timeline. */
  text?: string | undefined;
}

interface Reason {
  code: string;
  message: string;
}

const GIB = 1024 ** 3;

/**
 * Finds the volume of a run: the one that the run before left on the node, a copy of that from another node, one of
 * a checkpoint that was asked for or has all of it, or a new one. Never an older state that nobody asked for: the run
 * fails with the reason `volume_unreachable` then. `later`: a checkpoint is being saved of the volume.
 */
export async function openRunVolume(
  ctx: FilesCtx,
  { run, pod }: { run: PodRun; pod: Pod },
): Promise<RunVolume | Reason | "later" | undefined> {
  if (pod.volumeGb === null || pod.volumePath === null) return undefined;
  if (!ctx.runtime.volumes) return UNSUPPORTED;
  const made = { id: run.id, path: pod.volumePath, bytes: pod.volumeGb * GIB, isInPlace: false };
  if (run.origin === "checkpoint" && run.checkpointId !== null)
    return { ...made, ...ofCheckpoint(ctx, run.checkpointId) };
  const before = await runBefore(ctx.db, run);
  if (!before || before.volumeId === null) return made;
  if (before.nodeId !== ctx.nodeId) return copyOf(ctx, { before, made });
  if (await isSaving(ctx, run)) return "later";
  // A node that was counted as lost may still run it.
  await ctx.runtime.terminate(before.id, 0);
  return { ...made, id: before.volumeId, isInPlace: true, text: "Its volume stayed on the node." };
}

/** Makes a volume that is not on its node. Returns why its files cannot be read; throws as `make` of the runtime does. */
export async function prepareVolume(
  volumes: Pick<RuntimeVolumes, "make"> | undefined,
  { id, bytes, isInPlace, open }: RunVolume,
): Promise<Reason | undefined> {
  if (isInPlace) return undefined;
  const restore = open?.();
  try {
    await volumes?.make(id, { bytes, restore });
    return undefined;
  } catch (cause) {
    const failed = filesFailure({ ...(restore && { restore }) });
    if (failed) return failed;
    throw cause;
  }
}

async function copyOf(
  ctx: FilesCtx,
  { before, made }: { before: PodRun; made: RunVolume },
): Promise<RunVolume | Reason | "later"> {
  const { volumeId, number, podId } = before;
  const there = (await runtimeWithFiles(ctx, before))?.volumes;
  if (there && volumeId !== null) {
    const text = `Its volume was copied from the node of run ${number}.`;
    return { ...made, open: () => there.snapshot(volumeId), text };
  }
  const saved = await ctx.db.podCheckpoint.findMany({
    where: { podId, run: number, state: "saved" },
    orderBy: { id: "desc" },
    select: { id: true, cause: true, createdAt: true },
  });
  const { endedAt } = before;
  const whole = saved.find(({ cause, createdAt }) => cause === "reclaim" || (endedAt && createdAt >= endedAt));
  if (whole) return { ...made, ...ofCheckpoint(ctx, whole.id) };
  return (await isSaving(ctx, before)) ? "later" : UNREACHABLE;
}

const ofCheckpoint = (ctx: FilesCtx, id: string): Pick<RunVolume, "open" | "text"> => ({
  open: () => readCheckpoint(ctx, id, "volume"),
  text: `Its volume is that of the checkpoint ${id}.`,
});

const isSaving = async ({ db }: FilesCtx, { podId }: PodRun): Promise<boolean> =>
  (await db.podCheckpoint.count({ where: { podId, state: "saving" } })) > 0;

const UNSUPPORTED: Reason = { code: "volume_unsupported", message: "The runtime of this node keeps no volumes." };

const UNREACHABLE: Reason = {
  code: "volume_unreachable",
  message:
    "The node with the volume cannot be reached, and no checkpoint has all of it. Start the pod again when the node reports, or from a checkpoint.",
};
