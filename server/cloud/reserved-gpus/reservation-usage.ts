import type { Prisma, Reservation } from "../../engines/postgres/generated/client";
import type { Mode } from "../../operation/actor";

const SECOND_MS = 1000;
const SECONDS_PER_HOUR = 3600n;

export interface Period {
  from: Date;
  to: Date;
}

/** What a reservation costs in a period: all of its GPUs for each second of [from, to), used or not. */
export interface ReservationUsage extends Period {
  reservationId: string;
  projectId: string;
  gpu: string;
  region: string;
  count: number;
  seconds: number;
  /** Of all its GPUs. */
  nanosPerHour: bigint;
  /** Rounded down. */
  costNanos: bigint;
}

type Term = Pick<
  Reservation,
  "id" | "projectId" | "gpu" | "region" | "count" | "status" | "startsAt" | "endsAt" | "priceNanosPerHour"
>;

/**
 * What a reservation costs in a period; undefined for nothing. The term counts from its start, also when svc did not run
 * then; one that was canceled costs nothing. Times are cut to whole seconds, so that the seconds of adjacent periods add
 * up to the term.
 */
export function usageIn(reservation: Term, period: Period): ReservationUsage | undefined {
  if (reservation.status === "canceled") return undefined;
  const from = wholeSecond(Math.max(reservation.startsAt.getTime(), period.from.getTime()));
  const to = wholeSecond(Math.min(reservation.endsAt.getTime(), period.to.getTime()));
  const seconds = (to - from) / SECOND_MS;
  if (seconds <= 0) return undefined;
  const { id: reservationId, projectId, gpu, region, count, priceNanosPerHour: nanosPerHour } = reservation;
  const costNanos = (BigInt(seconds) * nanosPerHour) / SECONDS_PER_HOUR;
  const when = { from: new Date(from), to: new Date(to), seconds };
  return { reservationId, projectId, gpu, region, count, ...when, nanosPerHour, costNanos };
}

const wholeSecond = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** What the reservations of a tenant cost in a period, by start. For a month that is under way, `to` is the present. */
export async function reservationUsage(
  tx: Pick<Prisma.TransactionClient, "reservation">,
  { tenantId, mode, from, to }: Period & { tenantId: string; mode: Mode },
): Promise<ReservationUsage[]> {
  const rows = await tx.reservation.findMany({
    where: { tenantId, mode, status: { not: "canceled" }, startsAt: { lt: to }, endsAt: { gt: from } },
    orderBy: [{ startsAt: "asc" }, { id: "asc" }],
  });
  return rows.flatMap((row) => usageIn(row, { from, to }) ?? []);
}
