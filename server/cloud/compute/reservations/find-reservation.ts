import type { Prisma, Reservation as ReservationRow } from "../../../engines/postgres/generated/client";
import type { Actor } from "../../../operation/actor";
import { lockReservation } from "../reserved-gpus/reservation-room";
import { noSuchReservation, type Reservation, toReservation } from "./reservation";
import { reservationUse } from "./reservation-use.sql";

interface FindCtx {
  db: Prisma.TransactionClient;
  actor: Actor;
}

/** Returns a reservation: a key sees those of its own project and mode, a person all of the tenant. Throws `not_found`. */
export async function findReservation({ db, actor }: FindCtx, id: string): Promise<ReservationRow> {
  const seen = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const found = await db.reservation.findFirst({ where: { tenantId: actor.tenantId, id, ...seen } });
  if (!found) throw noSuchReservation(id);
  return found;
}

/** Like `findReservation`, and locks the reservation until the transaction ends. */
export async function findAndLockReservation(ctx: FindCtx, id: string): Promise<ReservationRow> {
  await findReservation(ctx, id);
  await lockReservation(ctx.db, id);
  return findReservation(ctx, id);
}

/** The records of rows, with what is assigned and in use now. */
export async function withUse(
  tx: Prisma.TransactionClient,
  rows: readonly ReservationRow[],
  currency: string,
): Promise<Reservation[]> {
  const usageOf = await reservationUse(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toReservation(row, { use: usageOf(row.id), currency }));
}

/** The record of one row. */
export async function withItsUse(
  tx: Prisma.TransactionClient,
  row: ReservationRow,
  currency: string,
): Promise<Reservation> {
  const usageOf = await reservationUse(tx, [row.id]);
  return toReservation(row, { use: usageOf(row.id), currency });
}
