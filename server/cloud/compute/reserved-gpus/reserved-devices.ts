import type { Prisma } from "../../../engines/postgres/generated/client";

export interface ReservedDevice {
  reservationId: string;
  /** false: its reservation has not started, so that nothing may use it. */
  isActive: boolean;
  /** true: a pod of its reservation waits for GPUs, so that nothing more is lent. */
  isAwaited: boolean;
}

/** The devices of a pool that are assigned to reservations, by node and device. */
export type ReservedDevices = ReadonlyMap<string, ReadonlyMap<number, ReservedDevice>>;

/** The devices of a pool that are assigned to reservations. Lock the pool first to decide by it. */
export async function reservedDevices(tx: Prisma.TransactionClient, pool: string): Promise<ReservedDevices> {
  const rows = await tx.reservedDevice.findMany({
    where: { pool },
    include: { reservation: { select: { status: true } } },
  });
  const awaited = await withWaitingPods(tx, new Set(rows.map(({ reservationId }) => reservationId)));
  const nodes = new Map<string, Map<number, ReservedDevice>>();
  for (const { node, device, reservationId, reservation } of rows) {
    const devices = nodes.get(node) ?? new Map<number, ReservedDevice>();
    const isActive = reservation.status === "active";
    nodes.set(node, devices.set(device, { reservationId, isActive, isAwaited: awaited.has(reservationId) }));
  }
  return nodes;
}

/** The reservations that have pods which wait for GPUs. */
async function withWaitingPods(
  tx: Prisma.TransactionClient,
  reservationIds: ReadonlySet<string>,
): Promise<Set<string | null>> {
  if (reservationIds.size === 0) return new Set();
  const waiting = await tx.pod.findMany({
    where: {
      reservationId: { in: [...reservationIds] },
      status: "pending",
      runs: { some: { nodeId: null, endedAt: null } },
    },
    select: { reservationId: true },
    distinct: ["reservationId"],
  });
  return new Set(waiting.map(({ reservationId }) => reservationId));
}

export interface DeviceUser {
  spot: boolean;
  reservationId: string | null;
}

/**
 * Whether a pod may have a device: pods of a reservation its own devices alone, on-demand pods those of no reservation,
 * and spot pods also what a reservation that has started leaves idle, until its pods need it. A device that a spot pod has
 * already stays with it until its notice is over.
 */
export function isUsableBy(reserved: ReservedDevice | undefined, { spot, reservationId }: DeviceUser): boolean {
  if (reservationId !== null) return reserved?.isActive === true && reserved.reservationId === reservationId;
  return reserved === undefined || (spot && reserved.isActive && !reserved.isAwaited);
}
