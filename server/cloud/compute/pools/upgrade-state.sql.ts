import { type FleetUpgrade, type GpuNode, Prisma } from "../../../engines/postgres/generated/client";
import { dueWhile } from "../../../kernel/round";
import type { UpgradePool } from "./upgrade-steps";

const MINUTE_MS = 60_000;

const IS_OPEN = `((f.state = 'running' AND (f.tenant_id IS NULL OR NOT EXISTS (
    SELECT FROM fleet_upgrades e WHERE e.id = f.id AND e.pool < f.pool AND e.finished_at IS NULL)))
  OR (f.state <> 'completed' AND EXISTS (
    SELECT FROM gpu_nodes n
    WHERE n.pool = f.pool AND n.upgrade_id = f.id
      AND (n.upgrade_state IN ('upgrading', 'upgraded') OR f.tenant_id IS NOT NULL)
    UNION ALL SELECT FROM joined_nodes j WHERE j.upgrade_id = f.id AND j.upgrade_state IN ('upgrading', 'upgraded'))))`;

/** When the next step of an upgrade is due. */
export const NEXT_UPGRADE_STEP = dueWhile(`SELECT FROM fleet_upgrades f WHERE ${IS_OPEN}`);

interface NodeRow
  extends Pick<
    GpuNode,
    "node" | "drains" | "cordonSource" | "upgradeId" | "upgradeState" | "upgradeBegunAt" | "upgradedAt"
  > {
  softwareVersion: string;
  isCordoned: boolean;
  isEmpty: boolean;
  critAt: Date | null;
  isLost: boolean;
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
    state,
    strategy,
    targetVersion,
    maxUnavailable,
    waitMs: waitMinutes * MINUTE_MS,
    nowMs: now.getTime(),
    isOfTenant: upgrade.tenantId !== null,
    nodes: rows.map(({ node, softwareVersion: version, isCordoned, drains, isEmpty, upgradeId, ...row }) => ({
      node,
      version,
      isCordoned,
      drains,
      isEmpty,
      isLost: row.isLost,
      upgrade: upgradeId === null || upgradeId === id ? row.upgradeState : "other",
      begunMs: row.upgradeBegunAt?.getTime() ?? null,
      upgradedMs: row.upgradedAt?.getTime() ?? null,
      critMs: row.critAt?.getTime() ?? null,
    })),
  };
}

/** Nodes of a tenant count as unavailable until the pods that left them for the upgrade are back. */
function nodesOf(
  tx: Prisma.TransactionClient,
  { pool, startedAt, resumedAt, tenantId, nodeNames }: FleetUpgrade,
): Promise<NodeRow[]> {
  const since = resumedAt ?? startedAt;
  return tx.$queryRaw<NodeRow[]>`
    SELECT n.node, n.drains, n.software_version AS "softwareVersion", n.upgrade_id AS "upgradeId",
      n.upgrade_state::text AS "upgradeState", n.upgrade_begun_at AS "upgradeBegunAt", n.upgraded_at AS "upgradedAt",
      n.cordoned_at IS NOT NULL OR (${tenantId}::text IS NOT NULL AND EXISTS (
        SELECT FROM gpu_nominations k WHERE k.pool = n.pool AND k.node = n.node)) AS "isCordoned",
      NOT EXISTS (SELECT FROM gpu_devices d WHERE d.pool = n.pool AND d.node = n.node) AS "isEmpty",
      least(
        (SELECT min(e.at) FROM gpu_node_events e WHERE e.pool = n.pool AND e.node = n.node AND e.severity = 'crit'
          AND e.at >= n.upgraded_at AND e.at > ${since}),
        (SELECT min(e.created_at) FROM node_events e WHERE e.pool = n.pool AND e.node = n.node AND e.severity = 'crit'
          AND e.created_at >= n.upgraded_at AND e.created_at > ${since} AND e.tenant_id = ${tenantId})
      ) AS "critAt",
      ${tenantId}::text IS NOT NULL AND NOT EXISTS (
        SELECT FROM resources s
        JOIN pods p ON p.resource_id = s.id AND p.deleted_at IS NULL
        JOIN pod_runs r ON r.pod_id = p.id AND r.number = p.run_number AND r.ended_at IS NULL
        LEFT JOIN gpu_nominations k ON k.run_id = r.id AND k.pool = n.pool AND k.node = n.node
        WHERE s.tenant_id = ${tenantId} AND s.plane = 'gpuc' AND s.service = 'baremetal' AND s.archived_at IS NULL
          AND ((r.pool = n.pool AND r.node = n.node) OR k.run_id IS NOT NULL)
      ) AS "isLost"
    FROM gpu_nodes n WHERE n.pool = ${pool} AND (cardinality(${nodeNames}::text[]) = 0 OR n.node = ANY(${nodeNames}))
    ORDER BY n.node`;
}

/**
 * The upgrades for which something may be due, with their pools in order. That of a tenant takes one pool after the other, so
 * that its limit of unavailable nodes is one for all.
 */
export const upgradesToAdvance = (
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
): Promise<{ id: string; pool: string }[]> =>
  db.$queryRaw`
    SELECT f.id, f.pool FROM fleet_upgrades f
    WHERE ${Prisma.raw(IS_OPEN)}
    ORDER BY f.pool, f.id`;
