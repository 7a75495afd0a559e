import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { operation } from "../../cloud-operation";
import { resourceChoice } from "../../core/resources/resource-fields";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { lockVolume } from "../../data/volumes/volumes.sql";
import { findVolume, volumeTarget } from "./find-volume";
import { SNAPSHOT_ID_PREFIX, SNAPSHOTS_MAX, toVolumeSnapshot, VolumeSnapshot } from "./volume-snapshot";
import { snapshotExample } from "./volume-snapshot.example";
import type { VolumeSnapshotCtx } from "./volume-snapshot-ctx";

/**
 * Begins to save the files of a shared volume. Throws `not_found`, `conflict` (reasons `not_made`, `saving`,
 * `too_many_snapshots`) and `quota_exceeded`.
 */
export const createVolumeSnapshot = operation({
  id: "createVolumeSnapshot",
  summary: "Save the files of a shared volume to object storage",
  description: `The volume stays in use; a file that a program changes meanwhile may be torn. The snapshot is \`saving\` until everything is stored, and then \`saved\`; a new volume begins with its files when its spec has the id as \`snapshot_id\`. It stays when the volume is deleted. A volume has at most ${SNAPSHOTS_MAX}, one of which is saved at a time; what they take counts toward the quota checkpoint_bytes.`,
  access: "gpuc:write",
  stores: true,
  idempotent: true,
  result: "accepted",
  input: z.strictObject(resourceChoice),
  output: VolumeSnapshot,
  example: {
    input: { rid: snapshotExample.rid },
    output: { ...snapshotExample, state: "saving", size_bytes: null, stored_bytes: 0, saved_at: null },
  },
  run: async (ctx: VolumeSnapshotCtx, { rid }) => {
    const { db, actor, clock } = ctx;
    await ctx.storedBytes.assertRoom(actor.tenantId);
    const row = await db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId: actor.tenantId }, VOLUME_QUOTAS.checkpoint_bytes);
      const found = await findVolume({ db: tx, actor }, rid);
      const volume = await lockVolume(tx, rid);
      if (volume?.state !== "made")
        throw conflict("not_made", "The volume does not exist, so it has no files to save.");
      const before = await tx.volumeSnapshot.findMany({ where: { volumeId: rid }, select: { state: true } });
      if (before.some(({ state }) => state === "saving"))
        throw conflict("saving", "A snapshot of this volume is being saved; wait until it is saved.");
      if (before.length >= SNAPSHOTS_MAX)
        throw conflict("too_many_snapshots", `The volume has ${SNAPSHOTS_MAX} snapshots; delete one.`);
      const now = clock.now();
      const { tenantId, projectId, mode, madeGb } = volume;
      const created = await tx.volumeSnapshot.create({
        data: {
          id: newId(SNAPSHOT_ID_PREFIX, now.getTime()),
          volumeId: rid,
          tenantId,
          projectId,
          mode,
          capacityGb: madeGb ?? 0,
          state: "saving",
          createdAt: now,
        },
      });
      const details = { snapshot_id: created.id };
      await recordAudit(tx, ctx, { action: "resource.snapshot_requested", targets: [volumeTarget(found)], details });
      return created;
    });
    return toVolumeSnapshot(row);
  },
});

const conflict = (reason: string, message: string): ServiceError =>
  new ServiceError("conflict", message, { param: "rid", details: { reason } });
