import type { Readable } from "node:stream";
import type { PodRun } from "../../../engines/postgres/generated/client";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { RuntimeVolumes } from "../../../engines/runtime/runtime-volumes";
import { ServiceError } from "../../../kernel/errors";
import { CheckpointFailure, WITHOUT_CHUNKS } from "../checkpoints/checkpoint";
import { readCheckpoint } from "../checkpoints/read-checkpoint";
import type { CheckpointCtx } from "../checkpoints/upload-files";

export interface FilesCtx extends CheckpointCtx {
  /** The node that starts the run. */
  nodeId: string;
  runtime: RunFilesRuntime & Pick<Runtime, "snapshots" | "terminate" | "volumes">;
  /** The workloads of another node. Throws `unavailable`. */
  reach(nodeId: string): Promise<RunFilesRuntime>;
}

interface RunFilesRuntime extends Pick<Runtime, "observe" | "snapshot"> {
  volumes?: Pick<RuntimeVolumes, "snapshot"> | undefined;
}

/** What a run starts with besides its image. */
export interface RunFiles {
  restore?: Readable;
  checkpointId?: string;
  /** For the timeline; undefined: it was to start with the files of the image. */
  text?: string;
}

const WITHOUT_FILES =
  "It started with the files of the image: the runtime of this node cannot keep files from run to run.";

/**
 * Opens the files of a run: those of the newest run before it that ran, if the node that has them can be reached, else
 * those of the newest checkpoint. `later`: a checkpoint is being saved on another node.
 */
export async function openRunFiles(ctx: FilesCtx, run: PodRun): Promise<RunFiles | "later"> {
  if (run.origin === "image") return {};
  if (run.origin === "checkpoint" && run.checkpointId !== null) return filesOf(ctx, run.checkpointId);
  const { db } = ctx;
  const { podId } = run;
  if (ctx.runtime.snapshots === false) return { text: WITHOUT_FILES };
  const before = await runBefore(db, run);
  const runtime = before && (await runtimeWithFiles(ctx, before));
  if (runtime)
    return { restore: runtime.snapshot(before.id), text: `It started with the files of run ${before.number}.` };
  if (await db.podCheckpoint.findFirst({ where: { podId, state: "saving" }, select: { id: true } })) return "later";
  const where = { podId, state: "saved" as const };
  const newest = await db.podCheckpoint.findFirst({ where, orderBy: { id: "desc" }, select: { id: true } });
  if (newest) return filesOf(ctx, newest.id);
  return { text: "It started with the files of the image: neither files of a run before nor a checkpoint exist." };
}

/** The newest run before a run whose process ran. */
export const runBefore = (db: FilesCtx["db"], { podId, number }: PodRun): Promise<PodRun | null> =>
  db.podRun.findFirst({
    where: { podId, number: { lt: number }, startedAt: { not: null } },
    orderBy: { number: "desc" },
  });

/** The runtime that has the files of a run; undefined if they were deleted, or their node cannot be reached. */
export async function runtimeWithFiles(
  { runtime, nodeId, reach }: FilesCtx,
  { id, nodeId: ranOn, removedAt }: PodRun,
): Promise<RunFilesRuntime | undefined> {
  if (removedAt || ranOn === null) return undefined;
  try {
    const there = ranOn === nodeId ? runtime : await reach(ranOn);
    return (await there.observe(id)).state === "exited" ? there : undefined;
  } catch (cause) {
    if (ranOn !== nodeId && cause instanceof ServiceError && cause.code === "unavailable") return undefined;
    throw cause;
  }
}

async function filesOf(ctx: FilesCtx, checkpointId: string): Promise<RunFiles> {
  const row = await ctx.db.podCheckpoint.findUnique({ where: { id: checkpointId }, ...WITHOUT_CHUNKS });
  const of = row ? ` of run ${row.run}, saved at ${row.savedAt?.toISOString()}` : "";
  const text = `It started with the files of the checkpoint ${checkpointId}${of}.`;
  return { restore: readCheckpoint(ctx, checkpointId), checkpointId, text };
}

/**
 * Why a stream of files failed, for the owner of the pod; undefined if it did not. Throws `unavailable` of the storage,
 * after which it is tried again.
 */
export function filesFailure({ restore }: Pick<RunFiles, "restore">): { code: string; message: string } | undefined {
  const failure = restore?.errored;
  if (failure instanceof CheckpointFailure) return { code: `checkpoint_${failure.code}`, message: failure.message };
  if (failure instanceof ServiceError) throw failure;
  return undefined;
}
