import type { Pool } from "pg";
import type { ImageDemand } from "./choose-warm-images";

const IMAGES_MAX = 1000;

/**
 * How often pods have started in the last week, by SKU and image, with a half-life of a day. Of all nodes, because a
 * pod can be placed on any of them; without images that need credentials.
 */
export async function imageDemand(sql: Pick<Pool, "query">, now: Date): Promise<ImageDemand[]> {
  const { rows } = await sql.query<ImageDemand>(
    `SELECT coalesce(split_part(r.pool, '/', 2), 'cpu') AS sku, p.image,
       sum(power(0.5, greatest(0, extract(epoch FROM $1::timestamptz - r.started_at)) / 86400))::float8 AS starts
     FROM pod_runs r JOIN pods p ON p.id = r.pod_id
     WHERE r.started_at > $1::timestamptz - interval '7 days' AND p.registry_credentials IS NULL
     GROUP BY 1, 2 ORDER BY 3 DESC LIMIT ${IMAGES_MAX}`,
    [now],
  );
  return rows;
}
