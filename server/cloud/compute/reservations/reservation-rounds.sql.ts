import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { dueWhile } from "../../../kernel/round";

const PER_ROUND = 100;

type Sql = Pick<Pool, "query">;

/** The ids that a query with this condition finds, at most so many that the others follow in the next round. */
const query =
  (name: string, text: string) =>
  async (sql: Sql, ...values: Date[]): Promise<string[]> => {
    const { rows } = await sql.query<{ id: string }>({ name, text: `${text} LIMIT ${PER_ROUND}`, values });
    return rows.map(({ id }) => id);
  };

/** Before a start, its devices are assigned: spot pods on them have 30 seconds of notice. */
export const ASSIGN_AHEAD_SECONDS = 45;
/** Before an end, it is announced. */
export const ANNOUNCE_AHEAD_HOURS = 24;

const IS_INCOMPLETE = "r.count > (SELECT count(*) FROM reserved_devices d WHERE d.reservation_id = r.id)";

/** A device that becomes free, a pod that ends, or a spot pod that got a device. */
const WAITS_FOR_OTHERS = `SELECT FROM reservations r WHERE r.status = 'active' AND ${IS_INCOMPLETE}
  UNION ALL SELECT FROM pods WHERE reservation_id IS NOT NULL AND status IN ('pending', 'reclaiming')
  UNION ALL SELECT FROM pods p JOIN reservations r ON r.id = p.reservation_id
    WHERE p.status = 'ready' AND r.status IN ('ended', 'canceled')
  UNION ALL SELECT FROM reserved_devices d JOIN reservations r ON r.id = d.reservation_id
    JOIN gpu_devices g ON g.pool = d.pool AND g.node = d.node AND g.device = d.device WHERE r.status = 'scheduled'
  UNION ALL SELECT FROM reserved_devices d JOIN gpu_nodes n ON n.pool = d.pool AND n.node = d.node
    WHERE n.cordoned_at IS NOT NULL OR d.device = ANY(n.withheld)`;

/** When something is due for a reservation: its start, its end, or what is before them. */
export const NEXT_RESERVATION = `SELECT least(
  (SELECT min(CASE WHEN ${IS_INCOMPLETE} THEN r.starts_at - interval '${ASSIGN_AHEAD_SECONDS} seconds' ELSE r.starts_at END)
   FROM reservations r WHERE r.status = 'scheduled'),
  (SELECT min(ends_at) FROM reservations WHERE status = 'active'),
  (SELECT min(ends_at) - interval '${ANNOUNCE_AHEAD_HOURS} hours' FROM reservations
   WHERE status = 'active' AND end_announced_at IS NULL),
  (${dueWhile(WAITS_FOR_OTHERS)}))`;

/** Whether a reservation is scheduled or active, or a pod of one that is over still runs. */
export async function hasOpenReservations(sql: Sql): Promise<boolean> {
  const { rows } = await sql.query<{ isOpen: boolean }>({
    name: "reservations_open",
    text: `SELECT EXISTS (SELECT FROM reservations WHERE status IN ('scheduled', 'active'))
      OR EXISTS (SELECT FROM pods WHERE reservation_id IS NOT NULL AND status IN ('pending', 'ready', 'reclaiming'))
      AS "isOpen"`,
  });
  return rows[0]?.isOpen === true;
}

/** Scheduled reservations whose start is not after a time. */
export const startingBy = query(
  "reservations_starting",
  "SELECT id FROM reservations WHERE status = 'scheduled' AND starts_at <= $1",
);

/** Active reservations whose end is not after a time. */
export const endingBy = query(
  "reservations_ending",
  "SELECT id FROM reservations WHERE status = 'active' AND ends_at <= $1",
);

/** Those whose end is near and has not been announced. */
export const toAnnounceBy = query(
  "reservations_to_announce",
  "SELECT id FROM reservations WHERE status = 'active' AND ends_at <= $1 AND end_announced_at IS NULL",
);

/** Active reservations with fewer devices than GPUs: some were not free at the start. */
export const incomplete = query(
  "reservations_incomplete",
  `SELECT id FROM reservations r WHERE status = 'active' AND ${IS_INCOMPLETE}`,
);

/**
 * Takes devices of nodes that accept no pods, and those that are withheld, from reservations, except those that their own pods have; reservations get
 * others instead. Returns whether there were any.
 */
export async function releaseCordoned(sql: Sql): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: "reservations_release_cordoned",
    text: `DELETE FROM reserved_devices d USING gpu_nodes n
      WHERE n.pool = d.pool AND n.node = d.node AND (n.cordoned_at IS NOT NULL OR d.device = ANY(n.withheld))
        AND NOT EXISTS (
        SELECT FROM gpu_devices g JOIN pod_runs r ON r.id = g.run_id JOIN pods p ON p.id = r.pod_id
        WHERE g.pool = d.pool AND g.node = d.node AND g.device = d.device AND p.reservation_id = d.reservation_id)`,
  });
  return (rowCount ?? 0) > 0;
}

/** Pods that run on although their reservation is over. */
export const podsToStop = query(
  "reservation_pods_to_stop",
  `SELECT p.id FROM reservations r JOIN pods p ON p.reservation_id = r.id
   WHERE r.status IN ('ended', 'canceled') AND p.status IN ('pending', 'ready', 'reclaiming')`,
);

/** Spot pods on devices that are assigned to a reservation which begins soon. */
export const spotPodsToReclaim = query(
  "reservation_spot_to_reclaim",
  `SELECT DISTINCT p.id FROM reserved_devices d JOIN reservations r ON r.id = d.reservation_id
   JOIN gpu_devices g ON g.pool = d.pool AND g.node = d.node AND g.device = d.device
   JOIN pod_runs n ON n.id = g.run_id JOIN pods p ON p.id = n.pod_id
   WHERE r.status = 'scheduled' AND p.spot AND p.status = 'ready'`,
);

/**
 * Pods of active reservations that wait for devices, the oldest first, with the number of those that are placed with it:
 * the pods of its gang that wait. A gang that misses pods, or has some that are ending, does not count.
 */
export async function waitingReservedPods(
  sql: Sql,
): Promise<{ reservationId: string; gpuCount: number; pods: number }[]> {
  const { rows } = await sql.query({
    name: "reservation_pods_waiting",
    text: `SELECT r.id AS "reservationId", p.gpu_count AS "gpuCount", gang.pods
      FROM reservations r JOIN pods p ON p.reservation_id = r.id
      JOIN pod_runs n ON n.pod_id = p.id AND n.number = p.run_number
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS members, (count(*) FILTER (WHERE w.node_id IS NULL AND w.ended_at IS NULL))::int AS pods,
          count(*) FILTER (WHERE m.status = 'reclaiming') AS ending
        FROM pods m JOIN pod_runs w ON w.pod_id = m.id AND w.number = m.run_number
        WHERE m.id = p.id OR (m.project_id = p.project_id AND m.mode = p.mode AND m.gang_name = p.gang_name
          AND m.deleted_at IS NULL AND m.status IN ('pending', 'ready', 'reclaiming'))
      ) gang
      WHERE r.status = 'active' AND p.status = 'pending' AND n.node_id IS NULL AND n.ended_at IS NULL
        AND (p.gang_name IS NULL OR (gang.members >= p.gang_size AND gang.ending = 0))
      ORDER BY n.created_at LIMIT ${PER_ROUND}`,
  });
  return rows;
}

export interface ReservationDevice {
  node: string;
  /** What has it; null: nothing. */
  podId: string | null;
  spot: boolean | null;
  status: string | null;
  /** GPUs of the spot gang that ends with the pod, on all nodes; null: it has none. */
  gangGpus: number | null;
}

/** The devices of a reservation and the pods that have them. */
export const devicesOf = (tx: Prisma.TransactionClient, reservationId: string): Promise<ReservationDevice[]> =>
  tx.$queryRaw`
    SELECT d.node, p.id AS "podId", p.spot, p.status::text AS status,
      (SELECT sum(m.gpu_count)::int FROM pods m WHERE p.spot AND m.project_id = p.project_id AND m.mode = p.mode
        AND m.gang_name = p.gang_name AND m.deleted_at IS NULL AND m.status IN ('pending', 'ready')) AS "gangGpus"
    FROM reserved_devices d
    LEFT JOIN gpu_devices g ON g.pool = d.pool AND g.node = d.node AND g.device = d.device
    LEFT JOIN pod_runs n ON n.id = g.run_id LEFT JOIN pods p ON p.id = n.pod_id
    WHERE d.reservation_id = ${reservationId} ORDER BY d.node, d.device`;
