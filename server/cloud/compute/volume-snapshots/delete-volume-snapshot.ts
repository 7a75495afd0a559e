import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { resourceChoice } from "../../core/resources/resource-fields";
import { blobName } from "../../data/volumes/snapshot-archive";
import { findVolume, volumeTarget } from "./find-volume";
import { snapshotExample } from "./volume-snapshot.example";
import type { VolumeSnapshotCtx } from "./volume-snapshot-ctx";

/** Later than this no backup and no restore that began before reads the blob. */
const REMOVAL_DELAY_MS = 15 * 60_000;

/** Deletes a snapshot of a shared volume. Throws `not_found` and `conflict` (reasons `saving`, `in_use`). */
export const deleteVolumeSnapshot = operation({
  id: "deleteVolumeSnapshot",
  summary: "Delete a snapshot of a shared volume",
  description:
    "It is removed from object storage within minutes. One that is being saved, or with whose files a volume is being made, is a conflict.",
  access: "gpuc:write",
  input: z.strictObject({ ...resourceChoice, snapshot_id: IdText.min(1).describe("The id of the snapshot") }),
  output: z.void(),
  example: { input: { rid: snapshotExample.rid, snapshot_id: snapshotExample.id }, output: undefined },
  run: async (ctx: VolumeSnapshotCtx, { rid, snapshot_id: id }) => {
    const { db, actor, clock } = ctx;
    await db.$transaction(async (tx) => {
      const volume = await findVolume({ db: tx, actor }, rid);
      await tx.$queryRaw`SELECT id FROM volume_snapshots WHERE id = ${id} FOR UPDATE`;
      const row = await tx.volumeSnapshot.findFirst({ where: { id, volumeId: rid } });
      if (!row) throw noSuchSnapshot(id);
      if (row.state === "saving") throw conflict("saving", "The snapshot is being saved; delete it when it is saved.");
      if (
        (await tx.sharedVolume.count({ where: { snapshotId: id, state: "making" } })) > 0 ||
        (await isAwaited(tx, { tenantId: actor.tenantId, id }))
      )
        throw conflict("in_use", "A volume is being made with its files; delete it when the volume is ready.");
      if (row.blob !== null) {
        const removeAt = new Date(clock.now().getTime() + REMOVAL_DELAY_MS);
        await tx.$executeRaw`
          INSERT INTO blob_removals (name, remove_at) VALUES (${blobName(row, row.blob)}, ${removeAt}) ON CONFLICT DO NOTHING`;
      }
      await tx.volumeSnapshot.delete({ where: { id } });
      const details = { snapshot_id: id };
      await recordAudit(tx, ctx, { action: "resource.snapshot_deleted", targets: [volumeTarget(volume)], details });
    });
  },
});

/** Whether a volume is to begin with its files, whose making has not begun. */
async function isAwaited(
  tx: Prisma.TransactionClient,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<boolean> {
  const spec = { path: ["snapshot_id"], equals: id };
  const where = { tenantId, service: "dfs", state: { in: ["provisioning", "failed"] }, spec, archivedAt: null };
  return (await tx.resource.findFirst({ where, select: { id: true } })) !== null;
}

const noSuchSnapshot = (id: string): ServiceError =>
  new ServiceError("not_found", `The volume has no snapshot with the id "${id.slice(0, 80)}".`, {
    param: "snapshot_id",
  });

const conflict = (reason: string, message: string): ServiceError =>
  new ServiceError("conflict", message, { param: "snapshot_id", details: { reason } });
