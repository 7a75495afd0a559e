import type { Prisma, SharedVolume } from "../../../engines/postgres/generated/client";
import { lockVolume } from "./volumes.sql";

type Tx = Prisma.TransactionClient;

interface CreatedVolume extends Pick<SharedVolume, "id" | "limitedMbps" | "throughputEnforced"> {
  madeGb: number;
  now: Date;
}

/** Records that a node has made a volume, or made it larger; it is metered with that capacity from then on. */
export async function recordVolumeProvisioned(
  tx: Tx,
  { id, madeGb, now, ...throughput }: CreatedVolume,
): Promise<void> {
  const row = await lockVolume(tx, id);
  if (!row || row.state === "deleting" || row.state === "lost") return;
  await tx.sharedVolume.update({ where: { id }, data: { state: "made", madeGb, ...throughput } });
  await meter(tx, row, { capacityGb: madeGb, now });
}

async function meter(tx: Tx, row: SharedVolume, { capacityGb, now }: { capacityGb: number; now: Date }): Promise<void> {
  const { id: volumeId, tenantId, projectId, mode } = row;
  const open = await tx.sharedVolumeCapacity.findFirst({ where: { volumeId, endedAt: null } });
  if (open?.capacityGb === capacityGb) return;
  if (open && open.startedAt >= now) {
    const key = { volumeId, startedAt: open.startedAt };
    await tx.sharedVolumeCapacity.update({ where: { volumeId_startedAt: key }, data: { capacityGb } });
    return;
  }
  await endMeter(tx, volumeId, now);
  await tx.sharedVolumeCapacity.create({ data: { volumeId, tenantId, projectId, mode, capacityGb, startedAt: now } });
}

const endMeter = (tx: Tx, volumeId: string, now: Date) =>
  tx.sharedVolumeCapacity.updateMany({ where: { volumeId, endedAt: null }, data: { endedAt: now } });

/** Records why a node could not do what is wanted. */
export async function recordVolumeFailure(
  tx: Tx,
  id: string,
  failure: { code: string; message: string },
): Promise<void> {
  if (await lockVolume(tx, id)) await tx.sharedVolume.update({ where: { id }, data: { failure: { ...failure } } });
}

/** Records that nothing is left of a volume; its saved snapshots stay. */
export async function recordVolumeRemoved(tx: Tx, id: string, now: Date): Promise<void> {
  if (!(await lockVolume(tx, id))) return;
  await endMeter(tx, id, now);
  const gone = { state: "failed", reasonCode: "volume_deleted", reasonText: "The volume was deleted." } as const;
  await tx.volumeSnapshot.updateMany({ where: { volumeId: id, state: "saving" }, data: gone });
  await tx.sharedVolume.delete({ where: { id } });
}
