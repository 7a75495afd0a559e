import type { Prisma } from "../../../engines/postgres/generated/client";

/** Numbers of GPUs. */
export interface ReservationUse {
  assigned: number;
  /** Of the assigned ones, those that pods can run on. */
  usable: number;
  /** Of its pods that have not ended. */
  inUse: number;
  /** Of its devices that spot pods have. */
  lent: number;
}

const NO_USE: ReservationUse = { assigned: 0, usable: 0, inUse: 0, lent: 0 };

/** What reservations have and use now; the function returns zeros for one that has nothing. */
export async function reservationUse(
  tx: Prisma.TransactionClient,
  ids: readonly string[],
): Promise<(id: string) => ReservationUse> {
  if (ids.length === 0) return () => NO_USE;
  const rows = await tx.$queryRaw<(ReservationUse & { id: string })[]>`
    SELECT r.id, coalesce(d.assigned, 0)::int AS assigned, coalesce(d.lent, 0)::int AS lent,
      coalesce(d.usable, 0)::int AS usable,
      coalesce(u.gpus, 0)::int AS "inUse"
    FROM reservations r
    LEFT JOIN (
      SELECT rd.reservation_id, count(*) AS assigned, count(*) FILTER (WHERE p.spot) AS lent,
        -- A pod that has a device of a node that is cordoned runs on.
        count(*) FILTER (WHERE NOT rd.device = ANY(n.withheld) AND (n.cordoned_at IS NULL
          OR (p.reservation_id = rd.reservation_id AND n.cordon_source IS DISTINCT FROM 'health'))) AS usable
      FROM reserved_devices rd
      JOIN gpu_nodes n ON n.pool = rd.pool AND n.node = rd.node
      LEFT JOIN gpu_devices gd ON gd.pool = rd.pool AND gd.node = rd.node AND gd.device = rd.device
      LEFT JOIN pod_runs pr ON pr.id = gd.run_id LEFT JOIN pods p ON p.id = pr.pod_id
      WHERE rd.reservation_id = ANY(${ids}) GROUP BY rd.reservation_id
    ) d ON d.reservation_id = r.id
    LEFT JOIN (
      SELECT reservation_id, sum(gpu_count) AS gpus FROM pods
      WHERE reservation_id = ANY(${ids}) AND status IN ('pending', 'ready', 'reclaiming', 'stopping')
      GROUP BY reservation_id
    ) u ON u.reservation_id = r.id
    WHERE r.id = ANY(${ids})`;
  const byId = new Map(rows.map(({ id, ...use }) => [id, use]));
  return (id) => byId.get(id) ?? NO_USE;
}
