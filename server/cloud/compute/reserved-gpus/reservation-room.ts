import type { Prisma, Reservation } from "../../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import { gangClaims } from "../../core/gang-claims/gang-claims";

export interface ReservationChoice {
  tenantId: string;
  mode: Mode;
  id: string;
}

/** Returns a reservation that pods of a tenant may use, in any of its projects. Throws `not_found`. */
export async function reservationOfPod(
  tx: Pick<Prisma.TransactionClient, "reservation">,
  { tenantId, mode, id }: ReservationChoice,
): Promise<Reservation> {
  const found = await tx.reservation.findFirst({ where: { id, tenantId, mode } });
  if (!found) throw notFound("reservation", id);
  return found;
}

/**
 * Throws `conflict` unless a reservation has started, has not ended and has `gpuCount` GPUs that none of its pods uses
 * (reasons `reservation_not_active` and `reservation_full`). Locks it until the transaction ends, so that two pods cannot
 * get the same room.
 */
export async function assertReservationRoom(tx: Prisma.TransactionClient, wanted: WantedRoom): Promise<void> {
  await lockReservation(tx, wanted.id);
  await checkReservationRoom(tx, wanted);
}

interface WantedRoom {
  id: string;
  /** 0: those that a gang has claimed already. */
  gpuCount: number;
  now: Date;
}

/** `assertReservationRoom` for what only asks: it takes no lock, so that the result can change at any time. */
export async function checkReservationRoom(
  tx: Prisma.TransactionClient,
  { id, gpuCount, now }: WantedRoom,
): Promise<void> {
  const { tenantId, status, count, startsAt, endsAt } = await tx.reservation.findUniqueOrThrow({ where: { id } });
  if (status !== "active" || endsAt <= now) {
    const message =
      status === "scheduled"
        ? `The reservation begins at ${startsAt.toISOString()}; create the pod then.`
        : `The reservation is ${status === "canceled" ? "canceled" : "over"}; create the pod without it.`;
    throw conflict(message, { reason: "reservation_not_active", status });
  }
  const free = count - (await usedGpus(tx, { id, tenantId }));
  if (gpuCount === 0 || gpuCount <= free) return;
  throw conflict(`The reservation has ${free} of ${count} GPUs left, and ${gpuCount} are needed; stop a pod of it.`, {
    reason: "reservation_full",
    free,
  });
}

const conflict = (message: string, details: { reason: string } & Record<string, unknown>): ServiceError =>
  new ServiceError("conflict", message, { param: "reservation_id", details });

/** Locks a reservation until the transaction ends; false if there is none. Lock it before its pool. */
export async function lockReservation(tx: Prisma.TransactionClient, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`SELECT id FROM reservations WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** The GPUs of the pods of a reservation that have not ended, and those that its gangs lack. */
export async function usedGpus(
  tx: Prisma.TransactionClient,
  { id: reservationId, tenantId }: Pick<Reservation, "id" | "tenantId">,
): Promise<number> {
  const status = { in: ["pending" as const, "ready" as const, "reclaiming" as const, "stopping" as const] };
  const { _sum: sum } = await tx.pod.aggregate({ where: { reservationId, status }, _sum: { gpuCount: true } });
  const { gpus: claimed } = await gangClaims(tx, { tenantId, reservationId });
  return (sum.gpuCount ?? 0) + claimed;
}
