import { z } from "zod";
import type { Prisma, Reservation as ReservationRow } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { lockPool } from "../pools/pools.sql";
import { releaseReserved } from "./assign-devices";
import { findAndLockReservation, withItsUse } from "./find-reservation";
import { originOf, Reservation, reservationTarget } from "./reservation";
import { reservationCanceled } from "./reservation.events";
import { reservationExample } from "./reservation.example";
import type { ReservationCtx } from "./reservation-ctx";
import { reservationChoice } from "./reservation-fields";

/** After its creation, in which one that no pod has used can be canceled although it has started. */
const REGRET_MS = 3600 * 1000;

/** Cancels a reservation free of charge. Throws `not_found` and `conflict` (reasons `committed`, `ended`). */
export const cancelReservation = operation({
  id: "cancelReservation",
  summary: "Cancel a reservation, free of charge",
  description:
    "Possible until its start, and within an hour of its creation if no pod has used it. Later it is a conflict with the reason `committed`: the term is paid to its end. One that is canceled stays as it is.",
  access: "pods:write",
  input: z.strictObject(reservationChoice),
  output: Reservation,
  example: {
    input: { id: reservationExample.id },
    output: { ...reservationExample, status: "canceled", assigned: 0, canceled_at: "2026-11-20T09:30:00.000Z" },
  },
  run: async (ctx: ReservationCtx, { id }) => {
    const { db, actor, currency } = ctx;
    return db.$transaction(async (tx) => {
      const found = await findAndLockReservation({ db: tx, actor }, id);
      if (found.status === "canceled") return withItsUse(tx, found, currency);
      const now = ctx.clock.now();
      await assertCancelable(tx, found, now);
      await lockPool(tx, found.pool);
      await releaseReserved(tx, id);
      const row = await tx.reservation.update({ where: { id }, data: { status: "canceled", canceledAt: now } });
      const canceled = await withItsUse(tx, row, currency);
      await recordAudit(tx, ctx, {
        action: "reservation.canceled",
        targets: [reservationTarget(row)],
        events: [newEvent(reservationCanceled, canceled, originOf(row))],
      });
      return canceled;
    });
  },
});

async function assertCancelable(tx: Prisma.TransactionClient, row: ReservationRow, now: Date): Promise<void> {
  if (row.status === "ended") throw conflict("The reservation has ended.", { reason: "ended" });
  if (row.startsAt > now) return;
  const isNew = now.getTime() - row.createdAt.getTime() < REGRET_MS;
  if (isNew && (await tx.pod.count({ where: { reservationId: row.id } })) === 0) return;
  const endsAt = row.endsAt.toISOString();
  throw conflict(`The reservation has started, so that its term is paid until ${endsAt}.`, {
    reason: "committed",
    ends_at: endsAt,
  });
}

const conflict = (message: string, details: Record<string, unknown>): ServiceError =>
  new ServiceError("conflict", message, { details });
