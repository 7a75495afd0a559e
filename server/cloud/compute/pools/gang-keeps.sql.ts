import type { Mode, Prisma } from "../../../engines/postgres/generated/client";

type Db = Pick<Prisma.TransactionClient, "$queryRaw">;

/** Which gang: a name is unique in its project and mode. */
export interface KeptGang {
  projectId: string;
  mode: Mode;
  gangName: string | null;
}

/** How many pods of a gang a node is to hold. */
export interface GangPlace {
  node: string;
  members: number;
}

/** The nodes of a pool whose GPUs are kept for a gang, as they become free. */
export interface GangKeep extends KeptGang {
  tenantId: string;
  gangName: string;
  spot: boolean;
  /** What each of its pods needs. */
  gpuCount: number;
  cpu: number;
  memoryMb: number;
  places: GangPlace[];
  since: Date;
  /** When the pods that hold GPUs of the nodes have ended at the latest. */
  startsBy: Date;
  /** The runs of the gang that wait. */
  runIds: string[];
}

/** What is kept for a gang of a pool; undefined if there is nothing, or no pod of the gang waits any more. */
export async function gangKeepOf(tx: Db, pool: string): Promise<GangKeep | undefined> {
  const rows = await tx.$queryRaw<(Omit<GangKeep, "places"> & { nodes: string[]; members: number[] })[]>`
    SELECT k.project_id AS "projectId", k.mode::text AS mode, k.gang_name AS "gangName", k.nodes, k.members, k.since,
      k.starts_by AS "startsBy", gang.*
    FROM gang_keeps k
    CROSS JOIN LATERAL (
      SELECT min(p.tenant_id) AS "tenantId", bool_and(p.spot) AS spot, min(p.gpu_count) AS "gpuCount",
        min(p.cpu) AS cpu, min(p.memory_mb) AS "memoryMb", array_agg(r.id) AS "runIds"
      FROM pods p JOIN pod_runs r ON r.pod_id = p.id AND r.number = p.run_number
      WHERE p.project_id = k.project_id AND p.mode = k.mode AND p.gang_name = k.gang_name AND p.deleted_at IS NULL
        AND p.status = 'pending' AND r.node_id IS NULL AND r.ended_at IS NULL
    ) AS gang
    WHERE k.pool = ${pool} AND gang."runIds" IS NOT NULL`;
  return rows.map(({ nodes, members, ...keep }) => ({
    ...keep,
    places: nodes.map((node, i) => ({ node, members: members[i] ?? 0 })),
  }))[0];
}

export type NewGangKeep = Pick<GangKeep, "projectId" | "mode" | "gangName" | "places" | "startsBy"> & {
  pool: string;
  now: Date;
};

/** Keeps nodes of a locked pool for a gang, instead of what was kept there before. */
export async function startGangKeep(
  tx: Prisma.TransactionClient,
  { pool, places, now, ...keep }: NewGangKeep,
): Promise<void> {
  const data = {
    ...keep,
    nodes: places.map(({ node }) => node),
    members: places.map(({ members }) => members),
    since: now,
  };
  await tx.gangKeep.upsert({ where: { pool }, create: { pool, ...data }, update: data });
}

/** Keeps nothing for a gang any more. */
export async function endGangKeep(
  tx: Prisma.TransactionClient,
  { projectId, mode, gangName }: KeptGang,
): Promise<void> {
  if (gangName !== null) await tx.gangKeep.deleteMany({ where: { projectId, mode, gangName } });
}

export const isOfGang = (keep: KeptGang, { projectId, mode, gangName }: KeptGang): boolean =>
  keep.gangName === gangName && keep.projectId === projectId && keep.mode === mode;
