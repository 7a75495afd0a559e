import type { Pool } from "pg";
import { FRESH_SECONDS } from "../pools/fleet";
import type { Region } from "../pools/regions";
import type { NodeRef } from "./node-keys";

/** Where a node that reports at present is reached; undefined: nowhere. */
export async function findNode(
  sql: Pick<Pool, "query">,
  id: string,
): Promise<(NodeRef & { address: string }) | undefined> {
  const { rows } = await sql.query<NodeRef & { address: string }>(
    `SELECT m.id, m.address, coalesce(n.generation, 0) AS generation
     FROM pod_nodes m LEFT JOIN joined_nodes n ON n.id = m.id
     WHERE m.id = $1 AND m.address IS NOT NULL AND m.seen_at > now() - make_interval(secs => ${FRESH_SECONDS})`,
    [id],
  );
  return rows[0];
}

/** A node whose agent is driven by one process at a time. */
export interface RemoteNode extends NodeRef {
  name: string;
  address: string;
  memoryMb: number;
  cpu: number;
  region: Region;
  /** The process of its agent that a fleet upgrade ends; null: none. */
  restartBootId: string | null;
}

export async function joinedNodes(sql: Pick<Pool, "query">): Promise<RemoteNode[]> {
  const { rows } = await sql.query<RemoteNode>(
    `SELECT id, name, address, generation, memory_mb AS "memoryMb", cpu, region,
       CASE WHEN upgrade_state = 'upgrading' THEN restart_boot_id END AS "restartBootId"
     FROM joined_nodes ORDER BY id`,
  );
  return rows;
}

/** The number of a new claim; undefined if the node has joined again since. */
export async function nextEpoch(claim: Pick<Pool, "query">, { id, generation }: NodeRef): Promise<number | undefined> {
  const { rows } = await claim.query<{ epoch: string }>(
    "UPDATE joined_nodes SET epoch = epoch + 1 WHERE id = $1 AND generation = $2 RETURNING epoch",
    [id, generation],
  );
  return rows[0] && Number(rows[0].epoch);
}

/** Records which program the agent of a node runs, and in which process; undefined: it does not tell. */
export async function recordAgent(
  claim: Pick<Pool, "query">,
  { id, generation }: NodeRef,
  agent: { version: string; bootId: string } | undefined,
): Promise<void> {
  await claim.query(
    "UPDATE joined_nodes SET version = coalesce($3, version), boot_id = $4 WHERE id = $1 AND generation = $2",
    [id, generation, agent?.version ?? null, agent?.bootId ?? null],
  );
}

/** The GPUs of a node that was removed, which its last report may have told again, are not offered any more. */
export async function forgetGpus(sql: Pick<Pool, "query">, id: string): Promise<void> {
  await sql.query("UPDATE pod_nodes SET gpus = NULL WHERE id = $1", [id]);
}
