import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import { checkReferences } from "../../server/cloud/core/references/references";
import { natKind } from "../../server/cloud/families/gpuc/nat-kind";
import { vpcKind } from "../../server/cloud/families/gpuc/vpc-kind";
import { eventually, makeTenant } from "../factories/app";
import { manage, newProject, platformKey, raiseRate } from "../factories/calls";
import { shellLayer } from "../factories/image-layers";
import { PodClient, type PodScene, podScene } from "../factories/pod-scene";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { canLimitWorkloads } from "../factories/workload-node";

const hasIp = process.getuid?.() === 0 && ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].some((file) => existsSync(file));
const scene = hasIp ? await podScene() : "private networks need the root user and iproute2";
const layer = await shellLayer();
const missing = [scene, layer].find((one) => typeof one === "string");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
const WAITS = ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1 & wait $!; done"];

describe.skipIf(missing !== undefined)(`what pods and instances refer to${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  const keys = { own: "", otherMode: "", otherProject: "", otherTenant: "" };
  let [image, tenantId, projectId] = ["", "", ""];
  let pods: PodClient;
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    for (const { tenantId: id } of [tenant, other]) await raiseRate(test, id);
    ({ tenantId } = tenant);
    projectId = await newProject(tenant);
    const scopes = ["gpuc:read", "gpuc:write", "pods:read", "pods:write", "secrets:write", "secrets:reveal"] as const;
    const of = (more: object) => platformKey(tenant, { mode: "test", scopes: [...scopes], ...more });
    keys.own = await of({ project: projectId });
    keys.otherMode = await of({ project: projectId, mode: "live" });
    keys.otherProject = await of({ project: await newProject(tenant) });
    keys.otherTenant = await platformKey(other, { mode: "test", scopes: [...scopes] });
    pods = new PodClient(test, keys.own);
    image = registry.add("referring", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
    for (const key of Object.values(keys))
      for (const service of ["net", "cpu", "dfs"]) await call("/v1/activations", { body: { service }, key });
  });
  afterAll(() => close());

  async function call<T = Resource>(path: string, sent: { body?: object; method?: string; key?: string } = {}) {
    const response = await manage(test, path, { key: keys.own, ...sent });
    const body = await response.text();
    return { status: response.status, body: (body === "" ? {} : JSON.parse(body)) as T & Failure };
  }
  const createVpc = async (name: string, cidr: string) => {
    const { body } = await call("/v1/resources", { body: { service: "net", kind: "vpc", name, spec: { cidr } } });
    expect(body.state).toBe("ready");
    return body.rid;
  };
  const createInstance = (name: string, more: object, key = keys.own) => {
    const spec = { sku: "Genoa", image_id: image, cpu: 1, memory_mb: 64, running: false, ...more };
    return call("/v1/resources", { body: { service: "cpu", name, spec }, key });
  };
  const remove = (rid: string) => call(`/v1/resources/${rid}`, { method: "DELETE" });
  const removed = (rid: string) => eventually(async () => [204, 404].includes((await remove(rid)).status));

  it("a pod that starts after the addresses of its network changed has one of the new ones", async () => {
    const { db } = test.app.cloud;
    const rid = await createVpc("changing", "10.11.0.0/24");
    const change = (cidr: string) => call(`/v1/resources/${rid}`, { method: "PATCH", body: { spec: { cidr } } });
    const before = await db.resource.findUniqueOrThrow({ where: { id: rid } });
    // Nobody provisions the change meanwhile.
    const lease = { leaseOwner: "of-the-test", leaseUntil: new Date(Date.now() + 3_600_000) };
    await db.resource.update({ where: { id: rid }, data: lease });
    expect((await change("10.12.0.0/24")).status).toBe(200);
    const { id } = await pods.create({ image, command: WAITS, memory_mb: 64, network: rid });
    expect((await change("10.13.0.0/24")).body.error).toMatchObject({ details: { reason: "has_dependents" } });
    expect((await pods.until(id, "ready")).network?.address).toBe("10.12.0.4");
    // The step of a process that read the spec before the change.
    const { spec, generation, name, createdAt } = before;
    const owner = { tenantId, projectId, mode: "test" as const };
    const late = { rid, spec: spec as { cidr: string }, generation, name, createdAt, ...owner };
    const creator = { createdBy: { type: "user" as const, id: "usr_x" }, secretHashes: {} };
    await vpcKind(() => test.app.cloud).provision({ ...late, ...creator }, new AbortController().signal);
    expect(await db.privateNetwork.findUnique({ where: { id: rid } })).toMatchObject({ cidr: "10.12.0.0/24" });
    await db.resource.update({ where: { id: rid }, data: { leaseOwner: null, leaseUntil: null } });
    await pods.call(`/${id}`, { method: "DELETE" });
    await removed(rid);
  });

  it.skipIf(!canLimitWorkloads())(
    "an instance refers only to networks, volumes and secrets of its own project and mode",
    async () => {
      const vpc = await createVpc("of-own", "10.14.0.0/24");
      const made = await call("/v1/resources", { body: { service: "dfs", name: "of-own", spec: { capacity_gb: 1 } } });
      const volumes = [{ volume: made.body.rid, mount_path: "/shared" }];
      for (const key of [keys.otherMode, keys.otherProject, keys.otherTenant]) {
        for (const network of [vpc, `${vpc}/default`])
          expect(await createInstance("strange", { network }, key)).toMatchObject({
            status: 404,
            body: { error: { param: "spec.network" } },
          });
        expect(await createInstance("strange", { volumes }, key)).toMatchObject({
          status: 404,
          body: { error: { param: "spec.volumes[0].volume" } },
        });
      }
      expect(await createInstance("strange", { network: made.body.rid })).toMatchObject({ status: 404 });
      await manage(test, "/v1/secrets/registry", {
        key: keys.otherMode,
        method: "PUT",
        body: { value: "of live mode" },
      });
      const registry_credentials = { username: "u", password: { secret: "registry" } };
      const noSecret = { status: 422, body: { error: { details: { reason: "no_such_secret" } } } };
      expect(await createInstance("strange", { registry_credentials })).toMatchObject(noSecret);
      const model = { model: "m", gpu_sku: "L40S", registry_credentials };
      const endpoint = { service: "inference", name: "strange", spec: model };
      expect(await call("/v1/resources", { body: endpoint })).toMatchObject(noSecret);

      // It has no pod yet, and keeps what it refers to.
      const { status, body } = await createInstance("own", { network: `${vpc}/default`, volumes });
      expect([status, body.state]).toEqual([201, "ready"]);
      for (const rid of [vpc, made.body.rid])
        expect(await remove(rid)).toMatchObject({
          status: 409,
          body: { error: { details: { reason: "has_dependents", rids: [body.rid] } } },
        });
      for (const rid of [body.rid, vpc, made.body.rid]) await removed(rid);
    },
  );

  it.skipIf(!canLimitWorkloads())("a network stays while a volume belongs to it", async () => {
    const vpc = await createVpc("of-volume", "10.16.0.0/24");
    const spec = { capacity_gb: 1, subnet_id: `${vpc}/default` };
    const { rid } = (await call("/v1/resources", { body: { service: "dfs", name: "in-network", spec } })).body;
    expect(await remove(vpc)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: "has_dependents", rids: [rid] } } },
    });
    for (const id of [rid, vpc]) await removed(id);
  });

  it("what a person creates refers only to its own project and mode, though they see all of the tenant's", async () => {
    const { db } = test.app.cloud;
    const vpc = await createVpc("of-nat", "10.15.0.0/24");
    const own = { tenantId, projectId, mode: "test", plane: "gpuc" } as const;
    const check = (owner: object) =>
      checkReferences(db, {
        owner: { ...own, ...owner },
        kind: natKind(() => test.app.cloud),
        spec: { network: vpc, egress: true },
      });
    await check({});
    for (const owner of [{ mode: "live" }, { projectId: "prj_other" }])
      await expect(check(owner)).rejects.toMatchObject({ code: "not_found", param: "spec.network" });
    await removed(vpc);
  });
});

interface Failure {
  error?: { message: string; param?: string; details?: Record<string, unknown> };
}
