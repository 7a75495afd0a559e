import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endUnusedPods } from "../../server/cloud/compute/function-pods/end-unused-pods";
import type { CloudFunction } from "../../server/cloud/compute/functions/function";
import type { Invocation } from "../../server/cloud/compute/functions/invocation";
import { eventually } from "../factories/app";
import { manage } from "../factories/calls";
import { programLayer, pythonLayer } from "../factories/image-layers";
import { type HttpResult, type PodScene, podScene } from "../factories/pod-scene";
import { canLimitWorkloads } from "../factories/workload-node";

const scene = await podScene();
const layers = [await programLayer(["sh", "sleep"]), await pythonLayer()];
const missing = [scene, ...layers].find((one) => typeof one === "string");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

const CODE = `
import os, subprocess, sys, time

calls = 0

async def run(payload, context):
    global calls
    calls += 1
    print("called", payload)
    print("careful", file=sys.stderr)
    subprocess.run(["/bin/sh", "-c", "echo child"])
    if payload == "throw":
        raise ValueError(context["env"]["TOKEN"])
    if payload == "wait":
        time.sleep(60)
    if payload == "memory":
        return len(bytearray(10**9))
    return {"calls": calls, "pid": os.getpid(), "version": context["version"]}
`;

describe.skipIf(missing !== undefined)(`a function in Python, on a runtime of this node${skipped}`, () => {
  const { test, registry, client: newClient, close } = scene as PodScene;
  let key: string;
  let image: string;
  beforeAll(async () => {
    ({ key } = await newClient());
    const config = { Env: ["PATH=/bin:/usr/bin"], Cmd: ["/bin/sh"] };
    image = registry.add("python", { layers: layers as { bytes: Buffer }[], config }).reference;
  });
  afterAll(() => close());

  async function send<T>(path: string, body: object, method = "POST"): Promise<HttpResult<T>> {
    const response = await manage(test, `/v1/functions${path}`, { key, method, body });
    return { status: response.status, body: await response.json() };
  }

  it("runs in a kept process of one pod, which is metered, has no other's output, and ends when it is not used", async () => {
    await manage(test, "/v1/secrets", { key, body: { name: "TOKEN", value: "correct-horse-battery" } });
    const settings = {
      runtime: "python",
      image,
      handler: "run",
      timeout_ms: 1500,
      env: { TOKEN: { secret: "TOKEN" } },
    };
    const made = await send<CloudFunction>("", { name: "py", code: CODE, ...settings });
    expect(made.body).toMatchObject({ runtime: "python", backend: "pods", image, memory_mb: 256 });
    const { id } = made.body;
    const invoke = async (payload: unknown) => (await send<Invocation>(`/${id}/invoke`, { payload })).body;
    const first = await invoke({ n: 1 });
    expect(first).toMatchObject({ status: "succeeded", result: { calls: 1, version: 1 } });
    expect(first.logs.map(({ level, text }) => [level, text])).toEqual([
      ["info", "called {'n': 1}"],
      ["error", "careful"],
    ]);
    expect(await invoke("throw")).toMatchObject({ error: { reason: "threw", message: "ValueError: [redacted]" } });
    expect((await invoke(1)).result).toEqual({ ...(first.result as object), calls: 3 });
    expect((await invoke("wait")).error).toMatchObject({ reason: "timed_out" });
    const again = await Promise.all([invoke(1), invoke(2)]);
    expect(again.map(({ result }) => (result as { calls: number }).calls)).toEqual([1, 1]);
    if (canLimitWorkloads()) expect((await invoke("memory")).error).toMatchObject({ reason: "out_of_memory" });
    const { db } = test.app.cloud;
    expect(await db.functionPod.count({ where: { functionId: id } })).toBe(1);
    expect(await (await manage(test, "/v1/sandboxes", { key })).json()).toMatchObject({ data: [] });
    const broken = await send<CloudFunction>(`/${id}/versions`, { code: "def run(:", handler: "run" });
    expect(broken.body.version).toBe(2);
    expect((await invoke(1)).error).toMatchObject({
      reason: "load_failed",
      message: expect.stringContaining("SyntaxError"),
    });
    const later = { now: () => new Date(test.clock.now().getTime() + 400_000) };
    await endUnusedPods({ ...test.app.cloud, clock: later });
    const podIds = (await db.functionPod.findMany({ where: { functionId: id } })).map((pod) => pod.id);
    await eventually(async () => {
      const pods = await db.pod.findMany({ where: { id: { in: podIds } } });
      return pods.length === 2 && pods.every(({ status }) => status === "stopped");
    });
    const usage = await manage(test, "/v1/usage?group_by=service,sku", { key });
    expect(((await usage.json()) as { data: object[] }).data).toContainEqual(
      expect.objectContaining({ service: "functions", sku: "cpu", unit: "second" }),
    );
  });

  it("is refused with what does not fit its runtime", async () => {
    const refusal = async (body: object) => (await send("", { name: "no", ...body })).body.error;
    expect(await refusal({ runtime: "python", backend: "workerd" })).toMatchObject({ param: "backend" });
    expect(await refusal({ image })).toMatchObject({ code: "invalid_request", param: "image" });
    const none = (await send<CloudFunction>("", { name: "none", runtime: "node", image: `${image}-none` })).body;
    const { error } = (await send<Invocation>(`/${none.id}/invoke`, {})).body;
    expect(error).toMatchObject({ reason: "load_failed" });
  });
});
