import { createHash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import { setQuota } from "../../server/identity/quotas/set-quota";
import type { Scope } from "../../server/operation/actor";
import { eventually, makeTenant } from "../factories/app";
import { manage, newProject, platformKey, raiseRate } from "../factories/calls";
import { programLayer } from "../factories/image-layers";
import { PodClient, type PodScene, podScene } from "../factories/pod-scene";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { StorageClient } from "../factories/storage";

const scene = await podScene();
const layer = await programLayer(["sh", "sleep", "cat", "mkdir", "chmod"]);
const missing = typeof scene === "string" ? scene : typeof layer === "string" ? layer : undefined;
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

const SCOPES: Scope[] = [
  "gpuc:read",
  "gpuc:write",
  "pods:read",
  "pods:write",
  "storage:read",
  "storage:write",
  "billing:read",
];

interface Observed {
  pod_id: string;
  status: string;
  bucket: string;
  metered_seconds: number;
}

describe.skipIf(missing !== undefined)(`resources on a runtime of this node${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  let key: string;
  let revealing: string;
  let live: string;
  let strange: string;
  let pods: PodClient;
  let agent: Client;
  let image: string;
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    await raiseRate(test, tenant.tenantId);
    const project = await newProject(tenant);
    key = await platformKey(tenant, { mode: "test", scopes: SCOPES, project });
    revealing = await platformKey(tenant, { mode: "test", scopes: [...SCOPES, "secrets:reveal"], project });
    const storing = await platformKey(tenant, { mode: "test", scopes: ["secrets:write"], project });
    const value = { value: "of a test" };
    await manage(test, "/v1/secrets/hugging-face", { key: storing, method: "PUT", body: value });
    live = await platformKey(tenant, { mode: "live", scopes: SCOPES });
    strange = await platformKey(other, { mode: "test", scopes: SCOPES });
    pods = new PodClient(test, key);
    image = registry.add("instances", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
    agent = new Client({ name: "test", version: "1" });
    await agent.connect(
      new StreamableHTTPClientTransport(new URL("http://localhost:3000/v1/mcp"), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
        fetch: (url, init) => test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" }),
      }),
    );
  });
  afterAll(async () => {
    await agent.close();
    await close();
  });

  type Shown = Resource & { observed: Observed | null };
  async function call<T = Shown>(
    path: string,
    sent: { body?: object; method?: string; key?: string } = {},
  ): Promise<{ status: number; body: T & { error?: { code: string; param?: string; details?: object } } }> {
    const response = await manage(test, path, { key, ...sent });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }
  async function tool<T = Shown>(name: string, given: Record<string, unknown>): Promise<T> {
    const { structuredContent, content } = await agent.callTool({ name, arguments: given });
    return (structuredContent ?? content) as T;
  }
  const until = async (rid: string, state: Resource["state"], by = key): Promise<Shown> => {
    let { body } = await call(`/v1/resources/${rid}`, { key: by });
    await eventually(async () => {
      ({ body } = await call(`/v1/resources/${rid}`, { key: by }));
      return body.state === state;
    });
    return body;
  };
  const inside = async (id: string, script: string) =>
    (await pods.call<{ stdout: string }>(`/${id}/exec`, { body: { command: ["/bin/sh", "-c", script] } })).body.stdout;

  it("are placeholders, in bytes the same, until their service is activated", async () => {
    const asked = { name: "vm", sku: "H100", image_id: image };
    const planned = await tool("gpuc_gpu_create", asked);
    expect(planned).toMatchObject({ state: "placeholder", provisioned: false, reason: { code: "not_activated" } });
    expect(JSON.stringify(await tool("gpuc_gpu_create", asked))).toBe(JSON.stringify(planned));
    expect((await pods.call<{ data: object[] }>("")).body.data).toEqual([]);
    expect(await tool("gpuc_activate", { service: "gpu" })).toMatchObject({ plan_tier: "starter", resources_max: 10 });
    // In live mode there are no GPUs on this node.
    await call("/v1/activations", { key: live, body: { service: "gpu" } });
    const spec = { sku: "H100", image_id: image };
    const { body } = await call("/v1/resources", { key: live, body: { service: "gpu", name: "vm", spec } });
    expect(body).toMatchObject({ state: "placeholder", reason: { code: "engine_missing" } });
  });

  it("are instances, in which user_data ran once, that keep their files and are metered while they run", async () => {
    await tool("gpuc_activate", { service: "gpu" });
    const user_data = "mkdir -p /srv && echo again >> /srv/boots";
    const created = await tool("gpuc_gpu_create", {
      name: "notebook",
      sku: "H100",
      image_id: image,
      purchase_option: "on_demand",
      user_data,
      tags: { team: "research" },
    });
    const { observed } = await until(created.rid, "ready");
    const id = observed?.pod_id ?? "";
    await eventually(async () => (await inside(id, "cat /srv/boots")) === "again\n");
    expect(await pods.get(id)).toMatchObject({ gpu: "h100", labels: { team: "research" }, simulated: true });
    expect((await call(`/v1/resources/${created.rid}`, { key: strange })).status).toBe(404);
    await tool("gpuc_instance_stop", { instance_id: created.rid });
    const stopped = await until(created.rid, "ready");
    expect(stopped.observed).toMatchObject({ status: "stopped", metered_seconds: expect.any(Number) });
    expect(stopped.observed?.metered_seconds).toBeGreaterThan(0);
    await tool("gpuc_instance_start", { instance_id: created.rid });
    await eventually(async () => (await call(`/v1/resources/${created.rid}`)).body.observed?.status === "running");
    expect(await inside(id, "cat /srv/boots")).toBe("again\n");
    // What happens to the pod is seen at once, and repaired.
    await pods.call(`/${id}/stop`, { method: "POST" });
    const isOfIt = { type: "resource.degraded", data: { path: ["rid"], equals: created.rid } };
    await eventually(async () => (await test.app.cloud.db.event.count({ where: isOfIt })) > 0);
    await tool("gpuc_instance_delete", { instance_id: created.rid });
    await eventually(async () => (await call(`/v1/resources/${created.rid}`)).status === 404);
    expect((await pods.call(`/${id}`)).status).toBe(404);
    const usage = await tool<{ total: string; data: object[] }>("gpuc_usage", { service: "gpu" });
    expect(usage.data).toMatchObject([{ rid: created.rid, name: "notebook", service: "gpu", final: true }]);
    const bill = await call<{ total: string }>("/v1/usage");
    expect(bill.body.total).toBe(usage.total);
  });

  it("are instances that a reservation of a year pays for", async () => {
    const reserved = (name: string) =>
      tool("gpuc_gpu_create", { name, sku: "A100", image_id: image, purchase_option: "reserved_1y" });
    expect(await reserved("planned")).toMatchObject({ state: "placeholder", reason: { code: "target_missing" } });
    const asked = { gpu: "a100", count: 1, duration: "365d" };
    const reservation = (await call<{ id: string }>("/v1/reservations", { body: asked })).body.id;
    await eventually(
      async () => (await call<{ status: string }>(`/v1/reservations/${reservation}`)).body.status === "active",
    );
    const created = await reserved("planned");
    const { observed } = await until(created.rid, "ready");
    expect(await pods.get(observed?.pod_id ?? "")).toMatchObject({ reservation_id: reservation });
    expect(await reserved("second")).toMatchObject({ state: "placeholder", reason: { code: "target_missing" } });
    await tool("gpuc_instance_delete", { instance_id: created.rid });
  });

  it("are buckets, which S3 has", async () => {
    await tool("gpuc_activate", { service: "object", plan_tier: "business" });
    const created = await tool("gpuc_object_create", { name: "Training data!" });
    expect(created).toMatchObject({ state: "ready", provisioned: true });
    const bucket = created.observed?.bucket ?? "";
    await new StorageClient(test, key).put(bucket, "a");
    const path = `/v1/storage/buckets/${bucket}`;
    expect((await call<{ data: object[] }>(`${path}/objects`)).body.data).toMatchObject([{ key: "a" }]);
    expect((await call(path, { key: strange })).status).toBe(404);
    const refused = await call("/v1/activations/object", { method: "DELETE" });
    expect([refused.status, refused.body.error?.code]).toEqual([409, "conflict"]);
    await tool("gpuc_object_delete", { bucket_id: created.rid });
    await eventually(async () => (await call(path)).status === 404);
    expect((await call("/v1/activations/object", { method: "DELETE" })).status).toBe(204);
  });

  it("count against the quota of what they make", async () => {
    const own = await makeTenant(test);
    const by = await platformKey(own, { mode: "test", scopes: ["gpuc:read", "gpuc:write", "storage:read"] });
    await call("/v1/activations", { key: by, body: { service: "object", plan_tier: "business" } });
    await setQuota(test.app.account, { tenant_id: own.tenantId, resource: "buckets", limit: 1 });
    const create = (name: string) => call("/v1/resources", { key: by, body: { service: "object", name } });
    expect((await create("first")).body).toMatchObject({ state: "ready" });
    const over = (await create("second")).body;
    expect(over).toMatchObject({ state: "failed", reason: { code: "quota_exceeded" } });
    expect((await call<{ data: object[] }>("/v1/storage/buckets", { key: by })).body.data).toHaveLength(1);
    await setQuota(test.app.account, { tenant_id: own.tenantId, resource: "buckets", limit: null });
    test.clock.advance(1001);
    await until(over.rid, "ready", by);
  });

  it("are conversions of models, whose shards are in a bucket of the tenant", async () => {
    for (const service of ["object", "tensorizer"]) await tool("gpuc_activate", { service });
    const { observed } = await tool("gpuc_object_create", { name: "models" });
    const bucket = observed?.bucket ?? "";
    const floats = Float32Array.of(1, -2.5, 65_504, 1e9);
    const header = JSON.stringify({ weight: { dtype: "F32", shape: [4], data_offsets: [0, 16] } });
    const padded = header.padEnd(Math.ceil(header.length / 8) * 8);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(padded.length));
    const model = Buffer.concat([length, Buffer.from(padded), Buffer.from(floats.buffer)]);
    const storage = new StorageClient(test, key);
    await storage.putBytes(bucket, "in/model.safetensors", model);
    const asked = { source_model: `s3://${bucket}/in/model.safetensors`, target_uri: `s3://${bucket}/out/` };
    const sha256 = createHash("sha256").update(model).digest("hex");
    const created = await tool("gpuc_tensorizer_create", { name: "half", ...asked, dtype: "f16", sha256 });
    const done = await until(created.rid, "ready");
    expect(done.observed).toMatchObject({ status: "completed", source_sha256: sha256, tensors: 1 });
    const shard = await storage.bytes(bucket, "out/model-00001-of-00001.safetensors");
    const start = 8 + Number(shard.readBigUInt64LE(0));
    // 1e9 is too large for 16 bits.
    expect([0, 2, 4, 6].map((at) => shard.readUInt16LE(start + at))).toEqual([0x3c00, 0xc100, 0x7bff, 0x7c00]);
    const wrong = await tool("gpuc_tensorizer_create", { name: "wrong", ...asked, sha256: "0".repeat(64) });
    expect(await until(wrong.rid, "failed")).toMatchObject({ reason: { code: "faulty" }, provisioned: false });
    const spec = { ...asked, sha256 };
    await call(`/v1/resources/${wrong.rid}`, { method: "PATCH", body: { spec } });
    expect(await until(wrong.rid, "ready")).toMatchObject({ generation: 2, observed: { status: "completed" } });
    const foreign = { ...asked, name: "foreign", target_uri: "s3://a-bucket-of-nobody/out/" };
    const { content, isError } = await agent.callTool({ name: "gpuc_tensorizer_create", arguments: foreign });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("a-bucket-of-nobody")]);
  });

  it("have errors that name the argument", async () => {
    const { content, isError } = await agent.callTool({
      name: "gpuc_gpu_create",
      arguments: { name: "vm", sku: "H100", image_id: image, tags: { "a b": "c" } },
    });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("tags")]);
    expect(JSON.stringify(content)).not.toContain("spec.tags");
    const { body } = await call("/v1/resources", { body: { service: "gpu", name: "vm", spec: { sku: "H100" } } });
    expect(body.error).toMatchObject({ code: "invalid_request", param: "spec.image_id" });
  });

  it("name secrets only for keys that may read them", async () => {
    const registry_credentials = { username: "robot", password: { secret: "registry" } };
    const spec = { sku: "Genoa", image_id: image, registry_credentials };
    const refused = await call("/v1/resources", { body: { service: "cpu", name: "private", spec } });
    expect([refused.status, refused.body.error]).toMatchObject([403, { details: { scope: "secrets:reveal" } }]);
    const gated = { model: "m", gpu_sku: "H100", hf_token: { secret: "hugging-face" } };
    const endpoint = await call("/v1/resources", { body: { service: "inference", name: "gated", spec: gated } });
    expect(endpoint.status).toBe(403);
  });

  it("give another image of theirs a secret only for keys that may read it", async () => {
    const spec = { model: "m", gpu_sku: "H100", hf_token: { secret: "hugging-face" }, image };
    const { body } = await call("/v1/resources", {
      key: revealing,
      body: { service: "inference", name: "gated", spec },
    });
    const change = (to: object) => call(`/v1/resources/${body.rid}`, { method: "PATCH", body: { spec: to } });
    expect((await change({ ...spec, image: "ghcr.io/example/mine:1" })).status).toBe(403);
    // A placeholder, which cannot change: the caller may do it.
    expect((await change({ ...spec, max_replicas: 2 })).status).toBe(409);
  });
});
