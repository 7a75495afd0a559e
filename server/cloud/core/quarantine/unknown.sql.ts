import type { Pool } from "pg";

/**
 * `pod`: the volume of a pod or workspace; `shared`: a volume that is a resource of its own; `network`: a private network;
 * `database`: an SQL database of edge functions.
 */
export type UnknownKind = "pod" | "shared" | "network" | "database";

interface FoundUnknown {
  nodeId: string;
  kind: UnknownKind;
  /** All that the node has and no record names. */
  ids: readonly string[];
  now: Date;
}

/** Records what of a node is unknown now, and forgets the others. Returns those that are new. */
export async function recordUnknown(
  sql: Pick<Pool, "query">,
  { nodeId, kind, ids, now }: FoundUnknown,
): Promise<string[]> {
  await sql.query("DELETE FROM quarantine WHERE node_id = $1 AND kind = $2 AND NOT (id = ANY($3))", [
    nodeId,
    kind,
    ids,
  ]);
  if (ids.length === 0) return [];
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO quarantine (node_id, id, kind, found_at) SELECT $1, id, $2, $4 FROM unnest($3::text[]) id
     ON CONFLICT DO NOTHING RETURNING id`,
    [nodeId, kind, ids, now],
  );
  return rows.map(({ id }) => id);
}

/** Those of a node that have been unknown since before a time. */
export async function unknownBefore(
  sql: Pick<Pool, "query">,
  { nodeId, kind, before }: { nodeId: string; kind: UnknownKind; before: Date },
): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT id FROM quarantine WHERE node_id = $1 AND kind = $2 AND found_at <= $3 ORDER BY id",
    [nodeId, kind, before],
  );
  return rows.map(({ id }) => id);
}
