import type { Pool } from "pg";
import { Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { notFound } from "../../../kernel/errors";
import { FRESH_SECONDS } from "../pools/fleet";

/** A node that has joined, for operators. */
export interface NodeLine {
  id: string;
  name: string;
  address: string;
  /** `reporting`: a process of svc drives it. */
  state: "reporting" | "not reporting";
  runtime: string | null;
  cpu: number;
  memory_mb: number;
  region: string;
  /** Their names, with why one is not offered. */
  gpus: string[];
  /** That have not ended. */
  pods: number;
  /** Of the program that its agent runs, and of the process that does. */
  version: string;
  boot_id: string | null;
  /** What a fleet upgrade does with it: it is given no pods meanwhile. */
  upgrade: "emptying" | "upgrading" | "upgraded" | "failed" | null;
  joined_at: Date;
}

export async function listNodes({ sql }: { sql: Pick<Pool, "query"> }): Promise<NodeLine[]> {
  const { rows } = await sql.query<NodeLine>(
    `SELECT n.id, n.name, n.address, m.kind AS runtime, n.cpu, n.memory_mb, n.region, n.version, n.boot_id,
       n.upgrade_state::text AS upgrade, n.joined_at,
       CASE WHEN m.seen_at > now() - make_interval(secs => ${FRESH_SECONDS}) THEN 'reporting' ELSE 'not reporting' END AS state,
       ARRAY(SELECT concat(g ->> 'name', ' (' || (g ->> 'problem') || ')')
         FROM jsonb_array_elements(coalesce(m.gpus -> 'gpus', n.gpus)) g) AS gpus,
       (SELECT count(*)::int FROM pod_runs r WHERE r.node_id = n.id AND r.ended_at IS NULL) AS pods
     FROM joined_nodes n LEFT JOIN pod_nodes m ON m.id = n.id ORDER BY n.name`,
  );
  return rows;
}

/** Ends the keys of a node, which then runs no pods of svc any more. Throws `not_found`. */
export async function removeNode({ db }: Pick<ActorCtx, "db">, name: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const node = await tx.joinedNode.findUnique({ where: { name } });
    if (!node) throw notFound("node", name);
    await tx.joinedNode.delete({ where: { name } });
    await tx.diskUse.deleteMany({ where: { nodeId: node.id } });
    // Its GPUs are not offered any more.
    await tx.podNode.updateMany({ where: { id: node.id }, data: { gpus: Prisma.DbNull } });
  });
}
