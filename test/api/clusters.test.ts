import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, describe, expect, it } from "vitest";
import { LookSchedule } from "../../server/cloud/core/reconciler/look-schedule";
import { beginDueResources, beginLooks } from "../../server/cloud/core/reconciler/start-resources";
import type { Resource } from "../../server/cloud/core/records/resource";
import { KubernetesApi, type KubernetesError } from "../../server/engines/runtime/kubernetes/kubernetes-api";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { fileFolder } from "../factories/file-folder";
import { startKubernetesDouble } from "../factories/kubernetes-double";

type Cluster = Resource & { observed: Record<string, unknown> };
interface Failure {
  error: { code: string; message: string; param?: string; details?: Record<string, unknown> };
}

let [key, live, strange] = ["", "", ""];

const double = await startKubernetesDouble({ tls: true });
const dir = fileFolder("svc-clusters-");
const file = path.join(dir, "kubeconfig");
await writeFile(file, double.config().exportConfig());
// Clusters are made in the double; no node runs pods.
const runtime = { choice: async () => ({ runtime: undefined, reason: "None." }), stop: async () => undefined };
const test = await testApp({ env: { RUNTIME: "kubernetes", KUBECONFIG: file }, runtime });
const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
await raiseRate(test, tenant.tenantId);
const scopes = ["gpuc:read", "gpuc:write", "audit:read", "usage:read"] as const;
key = await platformKey(tenant, { mode: "test", scopes: [...scopes] });
live = await platformKey(tenant, { mode: "live", scopes: [...scopes] });
strange = await platformKey(other, { mode: "test", scopes: [...scopes] });
for (const one of [key, live]) await call("/v1/activations", { key: one, body: { service: "cks" } });
afterAll(async () => {
  await test.stop();
  await double.close();
});

async function call<T = Cluster>(where: string, sent: { body?: object; method?: string; key?: string } = {}) {
  const response = await manage(test, where, { key, ...sent });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
}
const create = (
  name: string,
  { kind = "cluster", spec = {}, as = key }: { kind?: string; spec?: object; as?: string } = {},
) => call("/v1/resources", { key: as, body: { service: "cks", kind, name, spec } });
const kubeconfigOf = (rid: string, as = key) =>
  call<{ kubeconfig: string; namespace: string; expires_at: string }>(`/v1/clusters/${rid}/kubeconfig`, {
    key: as,
    body: {},
  });
const inNamespace = (namespace: string, kind: string) =>
  [...double.namespaces.objects]
    .filter(([where]) => where.includes(`/namespaces/${namespace}/${kind}`))
    .map(([, one]) => one);
const quotaOf = (namespace: string) =>
  inNamespace(namespace, "resourcequotas")[0]?.spec?.hard as Record<string, string>;
async function reconcileDue(): Promise<void> {
  const { reconciling } = test.app.cloud;
  await beginDueResources(reconciling);
  await beginLooks(reconciling, new LookSchedule());
  await reconciling.lanes.idle();
}
const until = async (rid: string, holds: (one: Cluster) => boolean, as = key) => {
  let seen = (await call(`/v1/resources/${rid}`, { key: as })).body;
  await eventually(async () => {
    await reconcileDue();
    seen = (await call(`/v1/resources/${rid}`, { key: as })).body;
    return holds(seen);
  });
  return seen;
};
/** The status that a program with the kubeconfig gets. */
async function asHolder(kubeconfig: string, path: string): Promise<number> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return new KubernetesApi(config).call({ path }).then(
    () => 200,
    (cause) => (cause as KubernetesError).status,
  );
}

describe("a cluster, in a double of Kubernetes' API", () => {
  // The first test, because the answer of Kubernetes is kept for a minute.
  it("that Kubernetes is silent about holds up no write of others", async () => {
    const release = double.hold();
    const body = (i: number) => ({ service: "cks", kind: "cluster", name: `silent-${i}`, spec: { version: "1.20" } });
    const asked = Array.from({ length: 24 }, (_, i) =>
      manage(test, "/v1/resources", { key, body: body(i), headers: { "idempotency-key": randomUUID() } }),
    );
    await eventually(async () => double.requests.includes("GET /version"));
    const other = await call("/v1/activations", { key: strange, body: { service: "object" } });
    expect(other.status).toBeLessThan(300);
    release();
    for (const response of await Promise.all(asked)) expect(response.status).toBe(201);
  });

  it("has a kubeconfig for its namespace alone, is repaired, and is deleted with its node groups", async () => {
    const { status, body: cluster } = await create("prod", { spec: { version: "1.34", tags: { team: "ml" } } });
    expect([status, cluster.state, cluster.reason]).toEqual([201, "ready", null]);
    const { namespace } = cluster.observed as { namespace: string };
    expect(double.namespaces.names()).toEqual([namespace]);
    expect((await create("prod", { spec: { version: "1.34", tags: { team: "ml" } } })).body.rid).toBe(cluster.rid);

    const made = await kubeconfigOf(cluster.rid);
    expect([made.status, made.body.namespace]).toEqual([200, namespace]);
    const { kubeconfig } = made.body;
    expect(await asHolder(kubeconfig, `/api/v1/namespaces/${namespace}/pods`)).toBe(200);
    expect(await asHolder(kubeconfig, "/api/v1/namespaces/svc/pods")).toBe(403);
    const { rows } = await test.engines.sql.query("SELECT row_to_json(r)::text AS text FROM resources r");
    const audit = await call<{ data: { action: string }[] }>("/v1/audit?limit=100");
    const token = JSON.parse(kubeconfig).users[0].user.token as string;
    expect(JSON.stringify([rows, audit.body])).not.toContain(token);
    expect(audit.body.data.map(({ action }) => action)).toContain("cluster_kubeconfig.created");
    const refused = await kubeconfigOf(cluster.rid, strange);
    expect(refused.status).toBe(404);

    const policies = () =>
      [...double.namespaces.objects.keys()].filter((where) => where.includes("validatingadmissionpolic"));
    expect(policies().map((where) => where.split("/").slice(-2).join("/"))).toEqual([
      "validatingadmissionpolicies/svc-clusters",
      "validatingadmissionpolicybindings/svc-clusters",
    ]);
    const [policy = ""] = policies();
    expect(JSON.stringify(double.namespaces.objects.get(policy)?.spec)).toMatch(/externalIPs.*service-account-token/);
    // The policy is there before the account, and comes back.
    const paths = [...double.namespaces.objects.keys()];
    expect(paths.indexOf(policy)).toBeLessThan(paths.findIndex((where) => where.includes("/serviceaccounts/")));
    double.namespaces.objects.delete(policy);
    double.namespaces.objects.delete(
      `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/svc-isolation`,
    );
    test.clock.advance(61_000);
    await eventually(async () => {
      await reconcileDue();
      return inNamespace(namespace, "networkpolicies").length === 1 && policies().length === 2;
    });

    const group = (await create("workers", { kind: "node_group", spec: { cluster_id: cluster.rid, sku: "L40S" } }))
      .body;
    expect([group.state, group.observed.gpus]).toEqual(["ready", 8]);
    expect((await call<{ data: Cluster[] }>(`/v1/clusters/${cluster.rid}/node-groups`)).body.data).toMatchObject([
      { rid: group.rid, kind: "node_group" },
    ]);
    expect((await call(`/v1/resources/${cluster.rid}`, { method: "DELETE" })).status).toBeLessThan(300);
    await eventually(async () => {
      await reconcileDue();
      return double.namespaces.names().length === 0;
    });
    await eventually(async () => (await call(`/v1/resources/${cluster.rid}`)).status === 404);
    expect((await call(`/v1/resources/${group.rid}`)).status).toBe(404);
    expect(await asHolder(kubeconfig, `/api/v1/namespaces/${namespace}/pods`)).toBe(401);
    expect(await test.app.cloud.db.clusterNodes.count()).toBe(0);
  });

  it("grows by its node groups in live mode, within their sizes and the GPU limit of the tenant", async () => {
    const cluster = (await create("live", { as: live })).body;
    const { namespace } = cluster.observed as { namespace: string };
    const spec = { cluster_id: cluster.rid, sku: "H100", desired_size: 2, min_size: 1, max_size: 8 };
    const labels = { "example.com/pool": "train" };
    const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }];
    const group = (await create("train", { kind: "node_group", spec: { ...spec, labels, taints }, as: live })).body;
    expect([group.state, quotaOf(namespace)?.["requests.nvidia.com/gpu"]]).toEqual(["ready", "16"]);
    const [map] = inNamespace(namespace, "configmaps");
    expect(JSON.parse(map?.data?.taints ?? "")).toEqual(taints);

    const patch = (change: object) =>
      call<Cluster & Failure>(`/v1/resources/${group.rid}`, {
        key: live,
        method: "PATCH",
        body: { spec: { ...group.spec, ...change } },
      });
    expect((await patch({ desired_size: 3 })).body.observed).toMatchObject({ gpus: 24 });
    expect(quotaOf(namespace)).toMatchObject({ "requests.nvidia.com/gpu": "24", "limits.cpu": String(8 + 3 * 192) });
    const below = await patch({ desired_size: 0 });
    expect([below.status, below.body.error.param]).toEqual([400, "spec.desired_size"]);
    const other = await patch({ sku: "L40S" });
    expect([other.status, other.body.error.param]).toEqual([422, "spec.sku"]);
    // The limit is 32 GPUs; this one is asked for in addition to 24.
    const much = (await create("more", { kind: "node_group", spec: { ...spec, desired_size: 2 }, as: live })).body;
    expect([much.state, much.reason?.code]).toEqual(["failed", "quota_exceeded"]);
    expect(quotaOf(namespace)?.["requests.nvidia.com/gpu"]).toBe("24");
    const limits = await call<{ data: { resource: string; used: number }[] }>("/v1/quotas", { key: live });
    expect(limits.body.data.find(({ resource }) => resource === "gpus_h100_use")?.used).toBe(24);

    await call(`/v1/resources/${much.rid}`, { key: live, method: "DELETE" });
    await call("/v1/activations/cks", { key: live, method: "DELETE" });
    await until(cluster.rid, ({ state }) => state === "suspended", live);
    await until(group.rid, ({ state }) => state === "suspended", live);
    expect([inNamespace(namespace, "serviceaccounts"), quotaOf(namespace)?.pods]).toEqual([[], "0"]);
    await call("/v1/activations", { key: live, body: { service: "cks" } });
    await until(cluster.rid, ({ state }) => state === "ready", live);
    await until(group.rid, ({ state }) => state === "ready", live);
    expect(quotaOf(namespace)?.["requests.nvidia.com/gpu"]).toBe("24");
  });

  it.each([
    ["cluster", { version: "34" }, "spec.version"],
    ["cluster", { subnets: ["default"] }, "spec.subnets[0]"],
    ["cluster", { subnets: [`res_${"a".repeat(26)}`] }, "spec.subnets[0]"],
    ["cluster", { ami_type: "a b" }, "spec.ami_type"],
    ["cluster", { tags: { "a b": "c" } }, "spec.tags.a b"],
    ["node_group", { cluster_id: `res_${"a".repeat(26)}`, sku: "H100" }, "spec.cluster_id"],
    [
      "node_group",
      { sku: "H100", cluster_id: `res_${"a".repeat(26)}`, labels: { "kubernetes.io/x": "" } },
      "spec.labels.kubernetes.io/x",
    ],
  ] as const)("of the kind %s is refused with %j", async (kind, spec, param) => {
    const refused = await call<Failure>("/v1/resources", { body: { service: "cks", kind, name: "bad", spec } });
    expect([refused.status >= 400 && refused.status < 405, refused.body.error.param]).toEqual([true, param]);
  });

  it("is a placeholder with another version, and its node groups are placeholders", async () => {
    const { body } = await create("old", { spec: { version: "1.20" } });
    expect([body.state, body.reason?.code]).toEqual(["placeholder", "needs_capability"]);
    const group = (await create("old-workers", { kind: "node_group", spec: { cluster_id: body.rid, sku: "H100" } }))
      .body;
    expect([group.state, group.reason?.code]).toEqual(["placeholder", "target_missing"]);
    const refused = await kubeconfigOf(body.rid);
    expect(refused.status).toBe(409);
  });
});

const kubectl = hasKubectl();
describe.skipIf(!kubectl)(
  `kubectl with the kubeconfig of a cluster${kubectl ? "" : " (skipped: there is no kubectl)"}`,
  () => {
    it("applies and reads a ConfigMap", async () => {
      const cluster = (await create("kubectl")).body;
      const file = path.join(dir, "tenant.json");
      await writeFile(file, (await kubeconfigOf(cluster.rid)).body.kubeconfig);
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "greeting" }, data: { text: "hello" } };
      await writeFile(path.join(dir, "map.json"), JSON.stringify(manifest));
      const run = async (...args: string[]) =>
        (await promisify(execFile)("kubectl", ["--kubeconfig", file, "--cache-dir", path.join(dir, "cache"), ...args]))
          .stdout;
      await run("apply", "--validate=false", "-f", path.join(dir, "map.json"));
      expect(await run("get", "configmap", "greeting", "-o", "jsonpath={.data.text}")).toBe("hello");
      await expect(run("--namespace", "svc", "get", "pods")).rejects.toThrow(/forbidden/i);
    });
  },
);

function hasKubectl(): boolean {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
