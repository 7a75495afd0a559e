import type { Prisma } from "../../../engines/postgres/generated/client";
import { type Block, CapacityCalendar } from "./capacity-calendar";
import { TURNAROUND_MS } from "./free-for-on-demand";

export interface Pool {
  /** `<region>/<gpu>`. */
  pool: string;
  /** The GPUs of its nodes that can be used. */
  capacity: number;
  /** These nodes; pods on others do not count. Default: all. */
  nodes?: readonly string[];
}

/**
 * The calendar of a pool: reservations from start to end, and on-demand pods from now to the end of their lifetime. Spot
 * pods do not count, because they are reclaimed before a start, and those in a reservation are part of it. Lock the pool
 * first to decide by it.
 */
export async function poolCalendar(
  tx: Prisma.TransactionClient,
  { pool, capacity, nodes }: Pool,
  now: Date,
): Promise<CapacityCalendar> {
  const reserved = await tx.reservation.findMany({
    where: {
      pool,
      OR: [
        { status: { in: ["scheduled", "active"] } },
        // Its pods may still be ending.
        { status: "ended", endsAt: { gt: new Date(now.getTime() - TURNAROUND_MS) } },
      ],
    },
    select: { startsAt: true, endsAt: true, count: true },
  });
  const onDemand = await onDemandPods(tx, pool, nodes);
  return new CapacityCalendar(capacity, [
    ...reserved.map(({ startsAt, endsAt, count }) => blockOf(startsAt, endsAt, count)),
    ...onDemand.map(({ expiresAt, count }) => blockOf(now, expiresAt < now ? now : expiresAt, count)),
  ]);
}

const blockOf = (from: Date, to: Date, count: number): Block => ({
  from: from.getTime(),
  to: to.getTime() + TURNAROUND_MS,
  count,
});

/** The on-demand pods that have GPUs of a pool, by when their lifetime ends. */
const onDemandPods = (tx: Prisma.TransactionClient, pool: string, nodes?: readonly string[]) =>
  tx.$queryRaw<{ expiresAt: Date; count: number }[]>`
    SELECT p.expires_at AS "expiresAt", count(*)::int AS count
    FROM gpu_devices d JOIN pod_runs r ON r.id = d.run_id JOIN pods p ON p.id = r.pod_id
    WHERE d.pool = ${pool} AND NOT p.spot AND p.reservation_id IS NULL
      AND (${nodes === undefined} OR d.node = ANY(${[...(nodes ?? [])]}))
    GROUP BY p.expires_at`;
