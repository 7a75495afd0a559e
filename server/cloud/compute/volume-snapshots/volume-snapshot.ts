import { z } from "zod";
import type { VolumeSnapshot as VolumeSnapshotRow } from "../../../engines/postgres/generated/client";
import { toWire } from "../../../kernel/to-wire";

export const SNAPSHOT_ID_PREFIX = "vsn";

/** Of one volume; another one is saved when one is deleted. */
export const SNAPSHOTS_MAX = 20;

/** The files of a shared volume at some time, in object storage. */
export const VolumeSnapshot = z
  .object({
    id: z.string().meta({ examples: ["vsn_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    rid: z.string().describe("The volume; the snapshot stays when it is deleted"),
    capacity_gb: z.int().describe("Of the volume at that time"),
    state: z.enum(["saving", "saved", "failed"]),
    reason: z.object({ code: z.string(), message: z.string() }).nullable().describe("Why it failed"),
    size_bytes: z.int().nullable().describe("Of the archive of the files; null until it is saved"),
    stored_bytes: z.int().describe("What it takes in object storage, compressed"),
    created_at: z.iso.datetime(),
    saved_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "VolumeSnapshot" });
export type VolumeSnapshot = z.infer<typeof VolumeSnapshot>;

export const toVolumeSnapshot = (row: VolumeSnapshotRow): VolumeSnapshot =>
  toWire(VolumeSnapshot, row, {
    rid: row.volumeId,
    reason: row.reasonCode === null ? null : { code: row.reasonCode, message: row.reasonText ?? "" },
  });
