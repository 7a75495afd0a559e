import { z } from "zod";
import type { PodCheckpoint } from "../../../engines/postgres/generated/client";
import { toWire } from "../../../kernel/to-wire";

export const CHECKPOINT_ID_PREFIX = "ckp";
const GIB = 1024 ** 3;
/** Of the files, without the volume: as much as a pod may write to its disk. */
export const CHECKPOINT_BYTES_MAX = 10 * GIB;

/** When one more is saved, the oldest is deleted. */
export const CHECKPOINTS_KEPT = 5;

/** The files of a pod at some time, in object storage. */
export const Checkpoint = z
  .object({
    id: z.string().meta({ examples: ["ckp_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    pod_id: z.string(),
    kind: z.literal("filesystem").describe("Files only: neither memory, nor processes, nor the state of GPUs"),
    run: z.int().describe("The number of the run whose files these are"),
    cause: z.enum(["request", "reclaim"]),
    state: z.enum(["saving", "saved", "failed"]),
    reason: z.object({ code: z.string(), message: z.string() }).nullable().describe("Why it failed"),
    size_bytes: z.int().nullable().describe("Of the archive of the files; null until it is saved"),
    volume_bytes: z
      .int()
      .nullable()
      .describe("Of the archive of the volume; null until it is saved, and if the pod has none"),
    new_bytes: z.int().describe("What was uploaded for it, compressed; the rest was in object storage already"),
    created_at: z.iso.datetime(),
    saved_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "PodCheckpoint" });
export type Checkpoint = z.infer<typeof Checkpoint>;

export type CheckpointRow = Omit<PodCheckpoint, "chunks" | "volumeChunks">;

/** What the wire shows: not the lists of chunks, which are long. */
export const WITHOUT_CHUNKS = { omit: { chunks: true, volumeChunks: true } } as const;

export const toCheckpoint = (row: CheckpointRow): Checkpoint =>
  toWire(Checkpoint, row, {
    kind: "filesystem",
    reason: row.reasonCode === null ? null : { code: row.reasonCode, message: row.reasonText ?? "" },
  });

/** Why a checkpoint cannot be saved or restored, as a sentence for the owner of the pod; trying again does not help. */
export class CheckpointFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "CheckpointFailure";
  }
}
