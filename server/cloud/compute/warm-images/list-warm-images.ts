import type { Pool } from "pg";

/** An image on a node that runs pods, for operators. */
export interface WarmImageLine {
  /** The name of a joined node, else the id of the node. */
  node: string;
  image: string;
  /** Recent starts on all nodes, those of a day ago for half. */
  demand: number;
  ready: boolean;
  /** On the disk; null: not known. */
  bytes: number | null;
  /** Why it could not be pulled last. */
  failure: string | null;
}

/** A node looks at what it keeps every minute. */
export const READY_MINUTES = 10;

export async function listWarmImages({ sql }: { sql: Pick<Pool, "query"> }): Promise<WarmImageLine[]> {
  const { rows } = await sql.query<WarmImageLine>(
    `SELECT coalesce(n.name, w.node_id) AS node, w.image, w.demand, w.bytes::float8 AS bytes, w.failure,
       coalesce(w.ready_at > now() - make_interval(mins => ${READY_MINUTES}), false) AS ready
     FROM warm_images w LEFT JOIN joined_nodes n ON n.id = w.node_id
     ORDER BY node, w.demand DESC, w.image LIMIT 1000`,
  );
  return rows;
}
