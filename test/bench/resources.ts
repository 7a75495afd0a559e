import { setTimeout } from "node:timers/promises";
import type { Demo } from "../../server/ads/demo/open-demo";
import type { Resource } from "../../server/cloud/core/records/resource";
import { bucketNameOf } from "../../server/cloud/families/gpuc/bucket-kind";
import { withSvc } from "./platform";
import { rowsOf, type Served } from "./processes";
import { timed } from "./queue-figures";

const ALONE = 100;
const AT_ONCE = 32;
const TOGETHER = 1000;
const AT_REST = 10_000;
const REST_MS = 60_000;

type Print = (line: string) => void;

/** Creations until somebody else sees the effect, many at once, and what svc costs while nothing changes. */
export async function run(print: Print): Promise<void> {
  await withSvc(async (svc, demo) => {
    const { tenant_id: tenantId } = demo.api;
    await rowsOf(
      svc,
      "postgres",
      `INSERT INTO quotas (tenant_id, resource, "limit", set_at)
       SELECT '${tenantId}', name, 1000000, now() FROM unnest(ARRAY['buckets', 'resources']) AS name RETURNING resource`,
    );
    const call = callOf(svc.url, demo.api.test_key);
    await call("POST", "/v1/activations", { service: "object", plan_tier: "enterprise" });
    const idle = await atRest();
    await creations(print, call);
    await many(print, call, () => rowsOf(svc, "postgres", COUNTS));
    await addAtRest(svc, demo);
    const resting = await atRest();
    print(`\n| 60 s at rest | CPU of svc and PostgreSQL |`);
    print("|---|---|");
    print(`| without resources | ${idle.toFixed(2)} % of a core |`);
    print(`| with ${AT_REST + TOGETHER} resources | ${resting.toFixed(2)} % of a core |`);
  });
}

type Call = (method: string, path: string, body?: object) => Promise<Resource>;

const callOf =
  (url: string, key: string): Call =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Resource;
  };

async function creations(print: Print, call: Call): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < ALONE; i++) {
    const from = performance.now();
    const made = await call("POST", "/v1/resources", { service: "object", name: `alone-${i}` });
    // Fails unless the bucket exists.
    await call("GET", `/v1/storage/buckets/${bucketNameOf(made)}`);
    times.push(performance.now() - from);
    await call("DELETE", `/v1/resources/${made.rid}`).catch(() => undefined);
  }
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  print(
    `A bucket, from the request until the storage API has it, ${ALONE} times: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`,
  );
}

const COUNTS = `SELECT (SELECT count(*) FROM resources WHERE name LIKE 'many-%' AND state = 'ready')::int AS resources,
  (SELECT count(*) FROM buckets WHERE name LIKE 'b-many-%')::int AS buckets`;

async function many(print: Print, call: Call, counts: () => Promise<object[]>): Promise<void> {
  let next = 0;
  const from = performance.now();
  const client = async () => {
    for (let i = next++; i < TOGETHER; i = next++)
      await call("POST", "/v1/resources", { service: "object", name: `many-${i}` });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const seconds = (performance.now() - from) / 1000;
  print(
    `${TOGETHER} creations, ${AT_ONCE} at once: ${(TOGETHER / seconds).toFixed(0)}/s; ${JSON.stringify(await counts())}`,
  );
}

/** Processor time of svc and its engines in a minute, as a share of one core in percent. */
async function atRest(): Promise<number> {
  await setTimeout(5000);
  const { ms, cpuMs } = await timed(async () => {
    await setTimeout(REST_MS);
    return 1;
  });
  return (100 * cpuMs) / ms;
}

/** Copies of a ready resource and of its bucket, which are due at different times of the next minute. */
const addAtRest = (svc: Served, { api }: Demo): Promise<object[]> =>
  rowsOf(
    svc,
    "postgres",
    `WITH made AS (
       INSERT INTO resources SELECT (r).* FROM (
         SELECT jsonb_populate_record(NULL::resources, to_jsonb(x) || jsonb_build_object('id', 'res_' || lpad(n::text, 26, '0'), 'name', 'rest-' || n,
           'next_at', now() + random() * interval '60 seconds')) AS r
         FROM (SELECT * FROM resources WHERE name LIKE 'many-%' LIMIT 1) AS x, generate_series(1, ${AT_REST}) AS n
       ) AS copies RETURNING id
     ), buckets_of AS (
       INSERT INTO buckets SELECT (b).* FROM (
         SELECT jsonb_populate_record(NULL::buckets, to_jsonb(x) || jsonb_build_object('id', 'bkt_' || lpad(n::text, 26, '0'),
           'name', 'b-rest-' || n || '-' || lpad(n::text, 10, '0'))) AS b
         FROM (SELECT * FROM buckets WHERE name LIKE 'b-many-%' LIMIT 1) AS x, generate_series(1, ${AT_REST}) AS n
       ) AS copies RETURNING id
     )
     SELECT count(*)::int AS n, '${api.tenant_id}' AS tenant FROM made`,
  );
