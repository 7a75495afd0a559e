import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportLoad } from "../../server/cloud/ai/inference/loads";
import { scaleEndpoints } from "../../server/cloud/ai/inference/start-inference";
import { LAST_RUN } from "../../server/cloud/compute/pod-records/stored-pod";
import { reachRunning } from "../../server/cloud/compute/pods/reach-run";
import type { Resource } from "../../server/cloud/core/records/resource";
import type { Runtime } from "../../server/engines/runtime/runtime";
import { eventually, makeTenant } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { programLayer, pythonLayer } from "../factories/image-layers";
import { PodClient, type PodScene, podScene } from "../factories/pod-scene";

const scene = await podScene();
const layers = [await programLayer(["sh", "sleep"]), await pythonLayer()];
const missing = [scene, ...layers].find((one) => typeof one === "string");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

interface Observed {
  replicas: { ready: number; wanted: number; starting: number };
  pod_ids: string[];
  url: string;
}
type Endpoint = Resource & { observed: Observed };
interface Completion {
  model: string;
  system_fingerprint: string;
  choices: { message: { content: string } }[];
  error?: { message: string; code: string };
}

describe.skipIf(missing !== undefined)(`an inference endpoint, on a runtime of this node${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  let [key, strange] = ["", ""];
  let image: string;
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    await raiseRate(test, tenant.tenantId);
    const scopes = ["gpuc:read", "gpuc:write", "pods:read", "pods:write", "gateway:read", "gateway:write"] as const;
    key = await platformKey(tenant, { mode: "test", scopes: [...scopes] });
    strange = await platformKey(other, { mode: "test", scopes: [...scopes] });
    const config = { Env: ["PATH=/bin:/usr/bin"], Cmd: ["/bin/sh"] };
    image = registry.add("engine", { layers: layers as { bytes: Buffer }[], config }).reference;
    await call("/v1/activations", { body: { service: "inference" } });
  });
  afterAll(() => close());

  async function call<T>(path: string, sent: { body?: object; method?: string; key?: string } = {}) {
    const response = await manage(test, path, { key, ...sent });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
  }
  const create = async (name: string, spec: object) =>
    (
      await call<Endpoint>("/v1/resources", {
        body: { service: "inference", name, spec: { model: "m", gpu_sku: "H100", image, cpu: 1, ...spec } },
      })
    ).body;
  const get = async (rid: string) => (await call<Endpoint>(`/v1/resources/${rid}`)).body;
  const until = async (rid: string, holds: (one: Endpoint) => boolean): Promise<Endpoint> => {
    let seen = await get(rid);
    await eventually(async () => {
      await scaleEndpoints(test.app.cloud);
      seen = await get(rid);
      return holds(seen);
    });
    return seen;
  };
  const ask = (rid: string, content: string, more: object = {}) =>
    call<Completion>(`/v1/inference/${rid}/v1/chat/completions`, {
      body: { messages: [{ role: "user", content }], ...more },
    });
  const alivePods = (ids: readonly string[]) =>
    test.app.cloud.db.podRun.count({ where: { podId: { in: [...ids] }, endedAt: null } });

  it("is a placeholder for an engine that needs real GPUs", async () => {
    expect(await create("real", { engine: "vllm" })).toMatchObject({
      state: "placeholder",
      reason: { code: "engine_missing", message: expect.stringContaining("vllm") },
    });
  });

  it("answers at its URL and in the gateway, loses a replica, and changes its program, without a failed request", async () => {
    const { rid } = await create("echo", { max_replicas: 2, target_concurrency: 2, scale_down_seconds: 3600 });
    const ready = await until(rid, ({ state }) => state === "ready");
    expect(ready).toMatchObject({
      observed: { engine: "test", simulated: true, replicas: { ready: 1, wanted: 1, starting: 0 } },
      endpoints: [{ protocol: "openai", url: ready.observed.url }],
    });
    const { status, body } = await ask(rid, "to be or not");
    expect([status, body]).toMatchObject([
      200,
      { system_fingerprint: "svc-test-engine", choices: [{ message: { content: "to be or not" } }] },
    ]);
    const sent = { model: "inference/echo", messages: [{ role: "user", content: "a b" }], stream: true };
    const stream = await manage(test, "/v1/chat/completions", { key, body: sent });
    expect(await stream.text()).toMatch(/"content": ?"a".*"content": ?" b".*\[DONE\]/s);
    const models = await call<{ data: { id: string }[] }>(`/v1/inference/${rid}/v1/models`);
    expect(models.body.data.map(({ id }) => id)).toEqual(["inference/echo"]);
    const refused = await call<Completion>(`/v1/inference/${rid}/v1/models`, { key: strange });
    expect([refused.status, refused.body.error?.message]).toEqual([404, expect.stringContaining(rid)]);

    const slow = Array.from({ length: 6 }, (_, i) => ask(rid, `slow ${i}`, { delay_ms: 1500 }));
    const two = await until(rid, ({ observed }) => observed.replicas.wanted === 2);
    expect((await Promise.all(slow)).map((one) => one.status)).toEqual(Array(6).fill(200));
    const both = await until(two.rid, ({ observed }) => observed.replicas.ready === 2);

    await new PodClient(test, key).call(`/${both.observed.pod_ids[0]}`, { method: "DELETE" });
    const after = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(rid, `after ${i}`)));
    expect(after.map((one) => one.status)).toEqual(Array(8).fill(200));
    const repaired = await until(
      rid,
      ({ observed }) => observed.replicas.ready === 2 && !observed.pod_ids.includes(both.observed.pod_ids[0] ?? ""),
    );

    let isDone = false;
    const statuses: number[] = [];
    const asking = (async () => {
      while (!isDone) statuses.push((await ask(rid, "during", { delay_ms: 50 })).status);
    })();
    await call(`/v1/resources/${rid}`, { method: "PATCH", body: { spec: { ...repaired.spec, model: "other" } } });
    await until(rid, ({ observed }) => observed.pod_ids.every((id) => !repaired.observed.pod_ids.includes(id)));
    await eventually(async () => {
      await scaleEndpoints(test.app.cloud);
      return (await alivePods(repaired.observed.pod_ids)) === 0;
    });
    isDone = true;
    await asking;
    expect([...new Set(statuses)]).toEqual([200]);
    expect((await ask(rid, "x")).body.model).toBe("other");

    const { observed } = await get(rid);
    expect((await call(`/v1/resources/${rid}`, { method: "DELETE" })).status).toBeLessThan(300);
    await eventually(async () => (await alivePods(observed.pod_ids)) === 0);
    await eventually(async () => (await get(rid)).rid === undefined);
    expect(await test.app.cloud.db.inferenceReplica.count({ where: { endpointId: rid } })).toBe(0);
  });

  it("without requests has no replica, and starts one for the first request, which waits", async () => {
    const { rid } = await create("rare", { min_replicas: 0, scale_down_seconds: 1 });
    expect(await until(rid, ({ state }) => state === "ready")).toMatchObject({ observed: { replicas: { wanted: 0 } } });
    const { status, body } = await ask(rid, "wake up");
    expect([status, body.choices[0]?.message.content]).toEqual([200, "wake up"]);
    const { id: podId } = await test.app.cloud.db.pod.findFirstOrThrow({
      where: { name: "inference-rare", deletedAt: null },
    });
    await eventually(async () => {
      await scaleEndpoints(test.app.cloud);
      return (await alivePods([podId])) === 0;
    });
    expect(await get(rid)).toMatchObject({ state: "ready" });
  });

  it("has its turn however many others there are, and at once when it gets requests", async () => {
    const made = [await create("quiet-a", {}), await create("quiet-b", {}), await create("busy", { min_replicas: 0 })];
    for (const { rid } of made) await until(rid, ({ state }) => state === "ready");
    const { cloud } = test.app;
    const turns = new Set<string>();
    let after = "";
    do {
      after = await scaleEndpoints(cloud, { after, quietMax: 1 });
      turns.add(after);
    } while (after !== "");
    expect([...turns]).toEqual(expect.arrayContaining(made.map(({ rid }) => rid)));
    const [, , busy] = made;
    const rid = busy?.rid ?? "";
    expect((await get(rid)).observed.replicas.wanted).toBe(0);
    await reportLoad(cloud, { endpointId: rid, processId: "one", outstanding: {}, queued: 3, added: 3 });
    await scaleEndpoints(cloud, { after: "zzz", quietMax: 1 });
    expect((await get(rid)).observed.replicas.wanted).toBeGreaterThan(0);
  });

  it("passes nothing to a replica that hangs, until it responds again", async () => {
    const { rid } = await create("hangs", {});
    const { observed } = await until(rid, ({ state }) => state === "ready");
    const row = { id: observed.pod_ids[0] ?? "" };
    const pod = await test.app.cloud.db.pod.findFirstOrThrow({ where: row, include: LAST_RUN });
    const { runtime: reached, run } = await reachRunning(test.app.cloud, pod);
    const runtime = reached as unknown as Runtime;
    const untilReady = (ready: number) =>
      eventually(async () => {
        await scaleEndpoints(test.app.cloud, { probesReady: true });
        return (await get(rid)).observed.replicas.ready === ready;
      });
    await runtime.signal(run.id, "SIGSTOP");
    await untilReady(0);
    const waiting = ask(rid, "after it hung");
    await runtime.signal(run.id, "SIGCONT");
    await untilReady(1);
    expect((await waiting).body.choices[0]?.message.content).toBe("after it hung");
  });
});
