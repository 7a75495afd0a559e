import { setTimeout as sleep } from "node:timers/promises";
import { shellLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";
import type { StartedForRest } from "./rest-server";

export interface Scenario {
  name: string;
  label: string;
  env: Readonly<Record<string, string>>;
  /** Creates what svc has; returns how to end what it needs besides, or a sentence on why it cannot be made here. */
  prepare(svc: StartedForRest): Promise<(() => Promise<void>) | string | undefined>;
}

const RESOURCES = 10_000;
const PODS = 100;
const WEBHOOKS = 1000;
const POD_MEMORY_MB = 64;
const PODS_WITHIN_MS = 240_000;
const POLL_MS = 1000;

export const SCENARIOS: readonly Scenario[] = [
  { name: "nothing", label: "nothing but the demo", env: {}, prepare: async () => undefined },
  { name: "resources", label: `${RESOURCES} buckets as resources, ready`, env: {}, prepare: addResources },
  {
    name: "pods",
    label: `${PODS} running pods of a test key (GPUs simulated; their processes, which sleep, run on this machine and are not counted)`,
    env: { RUNTIME: "process" },
    prepare: addPods,
  },
  { name: "webhooks", label: `${WEBHOOKS} enabled webhooks`, env: {}, prepare: addWebhooks },
];

async function addResources(svc: StartedForRest): Promise<undefined> {
  await post(svc, "/v1/activations", { service: "object", plan_tier: "enterprise" });
  await post(svc, "/v1/resources", { service: "object", name: "rest-1" });
  // First the effects: what is missing would be provisioned.
  await svc.sql.query(copies("buckets", { prefix: "bkt_", name: BUCKET_NAME }));
  await svc.sql.query(copies("resources", { prefix: "res_", name: RESOURCE_NAME }));
}

const RESOURCE_NAME = "'rest-' || lpad(n::text, 7, '0')";
/** As `bucketNameOf` names the bucket of a resource. */
const BUCKET_NAME = `'b-' || ${RESOURCE_NAME} || '-' || lpad(n::text, 10, '0')`;

/** Copies of the only row of a table whose name matches, under other ids and names. */
const copies = (table: string, { prefix, name }: { prefix: string; name: string }): string =>
  `INSERT INTO ${table} SELECT (made).* FROM (
     SELECT jsonb_populate_record(NULL::${table}, to_jsonb(x) || jsonb_build_object(
       'id', '${prefix}' || lpad(n::text, 26, '0'),
       'name', ${name})) AS made
     FROM (SELECT * FROM ${table} WHERE name LIKE '%rest-1%' LIMIT 1) AS x, generate_series(2, ${RESOURCES}) AS n
   ) AS copied`;

async function addWebhooks(svc: StartedForRest): Promise<undefined> {
  const first = { name: "rest-1", url: "https://receiver.example/events", events: ["pod.*"] };
  await post(svc, "/v1/webhooks", first);
  await svc.sql.query(
    `INSERT INTO webhooks SELECT (made).* FROM (
       SELECT jsonb_populate_record(NULL::webhooks, to_jsonb(x) || jsonb_build_object(
         'id', 'whk_' || lpad(n::text, 26, '0'), 'name', 'rest-' || n)) AS made
       FROM (SELECT * FROM webhooks WHERE name = 'rest-1' LIMIT 1) AS x, generate_series(2, ${WEBHOOKS}) AS n
     ) AS copied`,
  );
}

async function addPods(svc: StartedForRest): Promise<(() => Promise<void>) | string> {
  const layer = await shellLayer();
  if (typeof layer === "string") return layer;
  await svc.sql.query(
    `INSERT INTO quotas (tenant_id, resource, "limit", set_at) VALUES ($1, 'pods', 1000, now())
     ON CONFLICT (tenant_id, resource) DO UPDATE SET "limit" = 1000`,
    [svc.demo.api.tenant_id],
  );
  const registry = await startRegistryDouble();
  const config = { Env: ["PATH=/bin"], Entrypoint: ["/bin/sleep"], Cmd: ["100000"] };
  const { reference } = registry.add("sleep", { layers: [layer], config });
  const end = async () => {
    await removePods(svc);
    await registry.stop();
  };
  try {
    for (let i = 0; i < PODS; i++)
      await post(svc, "/v1/pods", { image: reference, name: `rest-${i}`, memory_mb: POD_MEMORY_MB });
    if (await reached(svc, `SELECT count(*) = ${PODS} AS done FROM pods WHERE status = 'ready'`)) return end;
    const { rows } = await svc.sql.query("SELECT status, reason_text, count(*)::int FROM pods GROUP BY 1, 2");
    await end();
    return `not all pods run: ${JSON.stringify(rows)}`;
  } catch (failure) {
    await end();
    return failure instanceof Error ? failure.message : String(failure);
  }
}

/** Workloads outlive the process of svc that started them. */
async function removePods(svc: StartedForRest): Promise<void> {
  const { rows } = await svc.sql.query<{ id: string }>("SELECT id FROM pods WHERE name LIKE 'rest-%'");
  for (const { id } of rows) await call(svc, `/v1/pods/${id}`, { method: "DELETE" });
  if (!(await reached(svc, "SELECT count(*) = 0 AS done FROM pod_runs WHERE removed_at IS NULL")))
    throw new Error("not all pods were removed");
}

/** Whether a query of one boolean, `done`, comes true in time. */
async function reached({ sql }: StartedForRest, query: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < PODS_WITHIN_MS; waitedMs += POLL_MS) {
    const { rows } = await sql.query<{ done: boolean }>(query);
    if (rows[0]?.done) return true;
    await sleep(POLL_MS);
  }
  return false;
}

const post = (svc: StartedForRest, to: string, body: object): Promise<void> =>
  call(svc, to, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function call({ url, demo }: StartedForRest, to: string, init: RequestInit): Promise<void> {
  const headers = { authorization: `Bearer ${demo.api.test_key}`, ...init.headers };
  const response = await fetch(`${url}${to}`, { ...init, headers });
  if (!response.ok) throw new Error(`${to}: ${await response.text()}`);
}
