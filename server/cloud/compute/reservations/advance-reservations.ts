import type { Prisma, Reservation as ReservationRow } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import type { EventKind } from "../../../operation/event-kind";
import { lockPool } from "../pools/pools.sql";
import { lockReservation } from "../reserved-gpus/reservation-room";
import { assignDevices, releaseReserved } from "./assign-devices";
import { withItsUse } from "./find-reservation";
import { originOf, type Reservation } from "./reservation";
import { reservationEndAnnounced, reservationEnded, reservationStarted } from "./reservation.events";
import {
  ANNOUNCE_AHEAD_HOURS,
  ASSIGN_AHEAD_SECONDS,
  endingBy,
  hasOpenReservations,
  incomplete,
  releaseCordoned,
  startingBy,
  toAnnounceBy,
} from "./reservation-rounds.sql";
import { type AdvanceCtx, stopAndReclaim } from "./stop-and-reclaim";

/**
 * What is due for all reservations: ends before starts, so that what one gives back the next one can have. Each step is
 * one transaction that looks again whether it is due; after a crash or a downtime the next round does what is missing.
 * Returns whether something changed.
 */
export async function advanceReservations(ctx: AdvanceCtx): Promise<boolean> {
  if (!(await hasOpenReservations(ctx.sql))) return false;
  const now = ctx.clock.now();
  const within = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const ended = await each(ctx, await endingBy(ctx.sql, now), end);
  const released = await releaseCordoned(ctx.sql);
  const started = await each(ctx, await startingBy(ctx.sql, within(ASSIGN_AHEAD_SECONDS)), begin);
  const completed = await each(ctx, await incomplete(ctx.sql), complete);
  const announced = await each(ctx, await toAnnounceBy(ctx.sql, within(ANNOUNCE_AHEAD_HOURS * 3600)), announceEnd);
  const stopped = await stopAndReclaim(ctx);
  return ended || released || started || completed || announced || stopped;
}

type Step = (tx: Prisma.TransactionClient, ctx: AdvanceCtx, row: ReservationRow) => Promise<boolean>;

async function each(ctx: AdvanceCtx, ids: readonly string[], step: Step): Promise<boolean> {
  let isChanged = false;
  for (const id of ids) {
    await ctx.db.$transaction(async (tx) => {
      await lockReservation(tx, id);
      const row = await tx.reservation.findUniqueOrThrow({ where: { id } });
      await lockPool(tx, row.pool);
      if (await step(tx, ctx, row)) isChanged = true;
    });
  }
  return isChanged;
}

async function end(tx: Prisma.TransactionClient, ctx: AdvanceCtx, { id, status }: ReservationRow): Promise<boolean> {
  if (status !== "active") return false;
  await releaseReserved(tx, id);
  const row = await tx.reservation.update({ where: { id }, data: { status: "ended" } });
  return announce(tx, ctx, { row, kind: reservationEnded });
}

/** Assigns devices a little ahead, and at the start those that became free until then. */
async function begin(tx: Prisma.TransactionClient, ctx: AdvanceCtx, before: ReservationRow): Promise<boolean> {
  if (before.status !== "scheduled") return false;
  const isAssigned = await assignDevices(tx, before);
  if (before.startsAt > ctx.clock.now()) return isAssigned;
  const row = await tx.reservation.update({ where: { id: before.id }, data: { status: "active" } });
  return announce(tx, ctx, { row, kind: reservationStarted });
}

const complete: Step = async (tx, _ctx, row) => row.status === "active" && (await assignDevices(tx, row));

async function announceEnd(tx: Prisma.TransactionClient, ctx: AdvanceCtx, before: ReservationRow): Promise<boolean> {
  if (before.status !== "active" || before.endAnnouncedAt) return false;
  const data = { endAnnouncedAt: ctx.clock.now() };
  const row = await tx.reservation.update({ where: { id: before.id }, data });
  return announce(tx, ctx, { row, kind: reservationEndAnnounced });
}

async function announce(
  tx: Prisma.TransactionClient,
  { clock, currency }: AdvanceCtx,
  { row, kind }: { row: ReservationRow; kind: EventKind<typeof Reservation> },
): Promise<true> {
  const data = await withItsUse(tx, row, currency);
  await recordEvent(tx, { tenantId: row.tenantId, ...originOf(row), at: clock.now() }, { kind, data });
  return true;
}
