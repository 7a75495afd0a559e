import { Prisma, type SharedVolume } from "../../../engines/postgres/generated/client";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import type { DesiredResource } from "../../core/kinds/kind";
import type { VolumeSpec } from "../../data/volumes/volume-spec";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { lockVolume, podsWithVolume } from "../../data/volumes/volumes.sql";
import { assertRoomToGrow, placeVolume } from "./place-volume";

const NAMED_PODS_MAX = 5;

/**
 * Records what a volume is to be, which its node then does; a repetition changes nothing. Throws `quota_exceeded`,
 * `unavailable` (reasons `no_disk`, `node_away`) and `unprocessable` for its snapshot.
 */
export async function wantVolume(
  tx: Prisma.TransactionClient,
  desired: DesiredResource<VolumeSpec>,
): Promise<SharedVolume> {
  const { rid: id, tenantId, projectId, mode, spec, createdAt } = desired;
  const before = await tx.sharedVolume.findUnique({ where: { id } });
  const capacityGb = Math.max(spec.capacity_gb, before?.capacityGb ?? 0);
  const throughputMbps = spec.throughput_mbps ?? null;
  const addingGb = capacityGb - (before?.capacityGb ?? 0);
  // Taken first: creations of volumes and pods of the tenant wait for each other.
  await assertQuota(tx, { tenantId, adding: addingGb }, VOLUME_QUOTAS.volume_gb);
  if (before) {
    if (addingGb > 0) await assertRoomToGrow(tx, { nodeId: before.nodeId, mode, addingGb });
    const data = { capacityGb, throughputMbps, suspendedAt: null, failure: Prisma.DbNull };
    return tx.sharedVolume.update({ where: { id }, data });
  }
  const { snapshot_id: snapshotId = null, subnet_id: subnetId = null } = spec;
  if (snapshotId !== null) await assertSnapshot(tx, { id: snapshotId, tenantId, projectId, mode });
  const nodeId = subnetId === null ? undefined : await nodeOfNetwork(tx, desired, subnetId);
  const chosenId = await placeVolume(tx, { projectId, mode, capacityGb, nodeId });
  return tx.sharedVolume.create({
    data: {
      id,
      tenantId,
      projectId,
      mode,
      nodeId: chosenId,
      capacityGb,
      throughputMbps,
      snapshotId,
      subnetId,
      state: "making",
      createdAt,
    },
  });
}

/** Throws `unprocessable` unless the project has the network in the mode. */
async function nodeOfNetwork(
  tx: Prisma.TransactionClient,
  { tenantId, projectId, mode }: DesiredResource<VolumeSpec>,
  subnetId: string,
): Promise<string> {
  const [id = ""] = subnetId.split("/");
  const found = await tx.privateNetwork.findFirst({ where: { id, tenantId, projectId, mode } });
  if (found) return found.nodeId;
  throw new ServiceError("unprocessable", "spec.subnet_id: expected a network of the same project and mode.", {
    param: "spec.subnet_id",
    details: { reason: "no_such_network" },
  });
}

/** Throws `unprocessable` for a snapshot that is not saved, or not of the place. */
export async function assertSnapshot(
  tx: Pick<Prisma.TransactionClient, "volumeSnapshot">,
  where: Prisma.VolumeSnapshotWhereInput,
): Promise<void> {
  if (await tx.volumeSnapshot.findFirst({ where: { ...where, state: "saved" }, select: { id: true } })) return;
  throw new ServiceError("unprocessable", "spec.snapshot_id: expected a saved snapshot of the same project and mode.", {
    param: "spec.snapshot_id",
    details: { reason: "no_such_snapshot" },
  });
}

/** From now on no pod can mount a volume. Throws `conflict` (reason `volume_in_use`) while pods have it. */
export async function beginRemoval(tx: Prisma.TransactionClient, id: string): Promise<void> {
  if (!(await lockVolume(tx, id))) return;
  const pods = await podsWithVolume(tx, id, NAMED_PODS_MAX);
  if (pods.length > 0) {
    const message = `Pods that wait or run mount the volume: ${pods.join(", ")}. Stop or delete them first.`;
    throw new ServiceError("conflict", message, { param: "rid", details: { reason: "volume_in_use", pods } });
  }
  await tx.sharedVolume.update({ where: { id }, data: { state: "deleting" } });
}
