import type { Mode, Prisma } from "../../../engines/postgres/generated/client";
import type { OwnNode } from "../pools/own-nodes.sql";
import { CORDONS_MS, type ReportedNode } from "./decide-cordon";

/** Of a tenant in one mode. Those that cordoned are kept apart, so that others cannot displace them. */
const EVENTS_KEPT = 1000;

interface KeptOf {
  tenantId: string;
  mode: Mode;
}

/** How often events of a tenant cordoned a node, and all nodes, in the last hour. */
export async function ownCordons(
  tx: Prisma.TransactionClient,
  { pool, node }: Pick<OwnNode, "pool" | "node">,
  { tenantId, mode, now }: KeptOf & { now: Date },
): Promise<ReportedNode["ownCordons"]> {
  const since = new Date(now.getTime() - CORDONS_MS);
  const where = { tenantId, mode, cordoned: true, createdAt: { gt: since } };
  const rows = await tx.nodeEvent.findMany({ where, select: { pool: true, node: true }, take: EVENTS_KEPT });
  return { ofNode: rows.filter((row) => row.pool === pool && row.node === node).length, ofAll: rows.length };
}

/** Deletes what is older than the newest events that are kept. */
export async function keepNewest(
  tx: Prisma.TransactionClient,
  { tenantId, mode, cordoned }: KeptOf & { cordoned: boolean },
): Promise<void> {
  const where = { tenantId, mode, cordoned };
  const [displaced] = await tx.nodeEvent.findMany({
    where,
    orderBy: { id: "desc" },
    skip: EVENTS_KEPT,
    take: 1,
    select: { id: true },
  });
  if (displaced) await tx.nodeEvent.deleteMany({ where: { ...where, id: { lte: displaced.id } } });
}
