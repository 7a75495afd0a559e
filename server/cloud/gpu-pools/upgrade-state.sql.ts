import type { FleetUpgrade, GpuNode, Prisma } from "../../engines/postgres/generated/client";
import type { UpgradePool } from "./upgrade-steps";

const MINUTE_MS = 60_000;

interface NodeRow
  extends Pick<
    GpuNode,
    "node" | "drains" | "cordonSource" | "upgradeId" | "upgradeState" | "upgradeBegunAt" | "upgradedAt"
  > {
  softwareVersion: string;
  isCordoned: boolean;
  isEmpty: boolean;
  critAt: Date | null;
}

/** What the next steps of an upgrade are decided by. The pool is locked. */
export async function upgradePool(
  tx: Prisma.TransactionClient,
  upgrade: FleetUpgrade,
  now: Date,
): Promise<UpgradePool | undefined> {
  const { id, state, strategy, targetVersion, maxUnavailable, waitMinutes } = upgrade;
  if (state === "completed" || targetVersion === null) return undefined;
  const rows = await nodesOf(tx, upgrade);
  return {
    ...{ state, strategy, targetVersion, maxUnavailable, waitMs: waitMinutes * MINUTE_MS, nowMs: now.getTime() },
    nodes: rows.map(({ node, softwareVersion: version, isCordoned, drains, isEmpty, upgradeId, ...row }) => ({
      ...{ node, version, isCordoned, drains, isEmpty },
      upgrade: upgradeId === null || upgradeId === id ? row.upgradeState : "other",
      begunMs: row.upgradeBegunAt?.getTime() ?? null,
      upgradedMs: row.upgradedAt?.getTime() ?? null,
      critMs: row.critAt?.getTime() ?? null,
    })),
  };
}

function nodesOf(tx: Prisma.TransactionClient, { pool, startedAt, resumedAt }: FleetUpgrade): Promise<NodeRow[]> {
  const since = resumedAt ?? startedAt;
  return tx.$queryRaw<NodeRow[]>`
    SELECT n.node, n.drains, n.software_version AS "softwareVersion", n.upgrade_id AS "upgradeId",
      n.upgrade_state::text AS "upgradeState", n.upgrade_begun_at AS "upgradeBegunAt", n.upgraded_at AS "upgradedAt",
      n.cordoned_at IS NOT NULL AS "isCordoned",
      NOT EXISTS (SELECT FROM gpu_devices d WHERE d.pool = n.pool AND d.node = n.node) AS "isEmpty",
      (SELECT min(e.at) FROM gpu_node_events e WHERE e.pool = n.pool AND e.node = n.node AND e.severity = 'crit'
        AND e.at >= n.upgraded_at AND e.at > ${since}) AS "critAt"
    FROM gpu_nodes n WHERE n.pool = ${pool} ORDER BY n.node`;
}

/** The upgrades for which something may be due, with their pools in order. */
export const upgradesToAdvance = (
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
): Promise<{ id: string; pool: string }[]> =>
  db.$queryRaw`
    SELECT f.id, f.pool FROM fleet_upgrades f
    WHERE f.state = 'running' OR (f.state <> 'completed' AND EXISTS (
      SELECT FROM gpu_nodes n
      WHERE n.pool = f.pool AND n.upgrade_id = f.id AND n.upgrade_state IN ('upgrading', 'upgraded')
      UNION ALL SELECT FROM joined_nodes j WHERE j.upgrade_id = f.id AND j.upgrade_state IN ('upgrading', 'upgraded')))
    ORDER BY f.pool, f.id`;
