import type { Pool } from "pg";
import type { Actor } from "../../../operation/actor";
import { READY_MINUTES } from "../warm-images/list-warm-images";
import type { PoolWarmth } from "./pool";

interface Asked {
  pool: string;
  since: Date;
  actor: Actor;
}

const OWN_IMAGES_MAX = 50;

/** How fast pods of a pool started since a time, and which of their images are ready: names only of the caller's pods. */
export async function poolWarmth(sql: Pick<Pool, "query">, { pool, since, actor }: Asked): Promise<PoolWarmth> {
  const [{ rows: boots }, { rows: images }] = await Promise.all([
    sql.query<{ samples: number; hit_rate: number | null; seconds: [number, number] | null }>(BOOTS, [pool, since]),
    sql.query<{ image: string; ready: boolean; own: boolean }>(IMAGES, [pool, since, ...readableBy(actor)]),
  ]);
  const { samples = 0, hit_rate = null, seconds = null } = boots[0] ?? {};
  const own = images.filter((image) => image.own).slice(0, OWN_IMAGES_MAX);
  return {
    warm_images: images.filter(({ ready }) => ready).length,
    samples,
    hit_rate,
    boot_seconds: seconds && { p50: seconds[0], p99: seconds[1] },
    own_images: own.map(({ image, ready }) => ({ image, ready })),
  };
}

/** Runs whose node told what it pulled. */
const BOOTS = `
  SELECT count(*)::int AS samples, avg((pulled_bytes = 0)::int)::float8 AS hit_rate,
    percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (
      ORDER BY greatest(0, extract(epoch FROM started_at - placed_at))::float8) AS seconds
  FROM pod_runs
  WHERE pool = $1 AND started_at >= $2 AND placed_at IS NOT NULL AND pulled_bytes IS NOT NULL`;

const IMAGES = `
  SELECT p.image,
    EXISTS (SELECT FROM warm_images w WHERE w.image = p.image
      AND w.ready_at > now() - make_interval(mins => ${READY_MINUTES})) AS ready,
    bool_or(p.tenant_id = $3 AND ($4::text IS NULL OR p.project_id = $4) AND ($5::text IS NULL OR p.mode::text = $5)) AS own
  FROM pod_runs r JOIN pods p ON p.id = r.pod_id
  WHERE r.pool = $1 AND r.started_at >= $2 AND p.registry_credentials IS NULL
  GROUP BY p.image ORDER BY count(*) DESC, p.image`;

/** As `findPod` decides it: a key sees the pods of its own project and mode, a person all of the tenant. */
const readableBy = (actor: Actor): [string, string | null, string | null] =>
  actor.kind === "key" ? [actor.tenantId, actor.projectId, actor.mode] : [actor.tenantId, null, null];
