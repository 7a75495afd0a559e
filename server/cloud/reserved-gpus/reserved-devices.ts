import type { Prisma } from "../../engines/postgres/generated/client";

export interface ReservedDevice {
  reservationId: string;
  /** false: its reservation has not started, so that nothing may use it. */
  isActive: boolean;
}

/** The devices of a pool that are assigned to reservations, by node and device. */
export type ReservedDevices = ReadonlyMap<string, ReadonlyMap<number, ReservedDevice>>;

/** The devices of a pool that are assigned to reservations. Lock the pool first to decide by it. */
export async function reservedDevices(tx: Prisma.TransactionClient, pool: string): Promise<ReservedDevices> {
  const rows = await tx.reservedDevice.findMany({
    ...{ where: { pool }, include: { reservation: { select: { status: true } } } },
  });
  const nodes = new Map<string, Map<number, ReservedDevice>>();
  for (const { node, device, reservationId, reservation } of rows) {
    const devices = nodes.get(node) ?? new Map<number, ReservedDevice>();
    nodes.set(node, devices.set(device, { reservationId, isActive: reservation.status === "active" }));
  }
  return nodes;
}

export interface DeviceUser {
  spot: boolean;
  reservationId: string | null;
}

/**
 * Whether a pod may have a device: pods of a reservation its own devices alone, on-demand pods those of no reservation,
 * and spot pods also what a reservation that has started leaves idle, until its pods need it.
 */
export function isUsableBy(reserved: ReservedDevice | undefined, { spot, reservationId }: DeviceUser): boolean {
  if (reservationId !== null) return reserved?.isActive === true && reserved.reservationId === reservationId;
  return reserved === undefined || (spot && reserved.isActive);
}
