import { mkdir, rm } from "node:fs/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import type { GpuPoolPicture } from "../../server/cloud/compute/pools/pool";
import { listWarmImages } from "../../server/cloud/compute/warm-images/list-warm-images";
import { WarmImages } from "../../server/cloud/compute/warm-images/warm-images";
import type { NamespacesRuntime } from "../../server/engines/runtime/namespaces/namespaces-runtime";
import type { PullParts } from "../../server/engines/runtime/oci/pull-image";
import { eventually, type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { layerOf } from "../factories/image-layers";
import { newPodClient, type PodClient } from "../factories/pod-scene";
import { type RuntimeScene, runtimeScene, SHELL_CONFIG } from "../factories/runtime-scene";

const scene = await runtimeScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
const EXIT = ["/bin/sh", "-c", "exit 0"];
const HOURS_MS = 3600 * 1000;

describe.skipIf(skipped)(`images in demand${skipped}`, () => {
  const { runtime, registry, shellLayer, shell, close } = scene as RuntimeScene;
  const { cache } = skipped ? ({} as PullParts) : (runtime as NamespacesRuntime).parts.pull;
  let test: TestApp;
  let client: PodClient & { tenantId: string };
  let warm: WarmImages;
  beforeAll(async () => {
    const started = { choice: async () => ({ runtime }), stop: () => runtime.close() };
    test = await testApp({ env: { RUNTIME: "namespaces" }, runtime: started });
    const { db, sql } = test.engines;
    await eventually(async () => (await db.podNode.count({ where: { kind: { not: null } } })) > 0);
    const { id: nodeId } = await db.podNode.findFirstOrThrow();
    warm = new WarmImages({ db, sql, clock: test.clock, nodeId, log: pino({ level: "silent" }) });
    client = await newPodClient(test);
  });
  afterAll(async () => {
    await test.stop();
    await close();
  });

  const blobsOf = (image: string) =>
    registry.requests.filter(({ path }) => path.includes(`/${image}/blobs/`)).map(({ path }) => path);
  async function ran(fields: object): Promise<Pod> {
    const { id } = await client.create({ image: shell, command: EXIT, ...fields });
    return client.until(id, "completed");
  }
  async function loseLayers(): Promise<void> {
    for (const id of await runtime.list()) await runtime.remove(id);
    await rm(cache.parts.dir, { recursive: true });
    await mkdir(cache.parts.dir);
  }
  const readyImages = async () =>
    (await listWarmImages(test.engines)).filter(({ ready }) => ready).map(({ image }) => image);

  it("are pulled again without a pod when the node has lost them, and the next pod pulls nothing", async () => {
    const first = await ran({ gpu: "h100", region: "use" });
    expect(first.boot).toEqual({ seconds: expect.any(Number), warm: false });
    const second = await ran({ gpu: "h100", region: "use" });
    expect(second.boot?.warm).toBe(true);
    await loseLayers();
    await warm.refresh(runtime);
    expect(await readyImages()).toEqual([shell]);
    registry.requests.length = 0;
    expect((await ran({})).boot?.warm).toBe(true);
    const { config } = JSON.parse(String([...registry.manifests.values()][0]?.bytes));
    expect(blobsOf("shell")).toEqual([`/v2/shell/blobs/${config.digest}`]);
    const { body } = await client.call<{ data: { message: string }[] }>(`/${first.id}/events`);
    const messages = body.data.map(({ message }) => message);
    expect(messages.join()).toMatch(/The process runs\. \d+\.\d MB of its image were pulled\./);
  });

  it("are reported for each pool, by name only to those who run them", async () => {
    const picture = async ({ key }: PodClient) => {
      const response = await manage(test, "/v1/gpu-pools/nodes?region=use&gpu=h100", { key });
      return ((await response.json()) as GpuPoolPicture).warm;
    };
    const shown = { warm_images: 1, samples: 2, hit_rate: 0.5 };
    expect(await picture(client)).toMatchObject({ ...shown, own_images: [{ image: shell, ready: true }] });
    expect(await picture(await newPodClient(test))).toMatchObject({ ...shown, own_images: [] });
  });

  it("are not those that need credentials, are too large, or could not be pulled a moment ago", async () => {
    const layer = await layerOf([{ name: "pad", content: Buffer.alloc(3_000_000) }]);
    const added = (name: string) => registry.add(name, { layers: [shellLayer, layer], config: SHELL_CONFIG }).reference;
    const [secret, large, broken] = [added("secret"), added("large"), added("broken")];
    await ran({ image: large });
    await ran({ image: broken });
    const { id } = await client.create({ image: secret, command: EXIT });
    await client.until(id, "completed");
    await test.engines.db.pod.update({ where: { id }, data: { registryCredentials: { username: "u" } } });
    await loseLayers();
    const [gone] = [...registry.manifests.keys()].filter((name) => name === "broken@latest");
    registry.manifests.delete(gone ?? "");
    registry.requests.length = 0;
    const size = (await listWarmImages(test.engines)).find(({ image }) => image === shell)?.bytes ?? 0;
    const small = { prefetch: runtime.prefetch.bind(runtime), imageCacheBytes: 4 * size + 1_000_000 };
    await warm.refresh(small);
    await warm.refresh(small);
    const asked = registry.requests.map(({ path }) => path.split("/")[2]);
    expect(asked.filter((name) => name === "secret" || name === "broken")).toEqual(["broken"]);
    expect(await readyImages()).toEqual([shell]);
    const failures = (await listWarmImages(test.engines)).flatMap(({ failure }) => failure ?? []);
    expect(failures.sort().join()).toMatch(/\/broken.+,.+\/large/);
  });

  it("never take the place of layers that run", async () => {
    const { id } = await client.create({ image: shell, command: ["/bin/sh", "-c", "while :; do sleep 0.05; done"] });
    await client.until(id, "ready");
    const { bytesMax } = cache.parts;
    const size = (await listWarmImages(test.engines)).find(({ image }) => image === shell)?.bytes ?? 0;
    const layer = await layerOf([{ name: "other", content: Buffer.alloc(500_000, 1) }]);
    const { reference } = registry.add("other", { layers: [layer], config: SHELL_CONFIG });
    Object.assign(cache.parts, { bytesMax: size + 100_000 });
    const { signal } = new AbortController();
    await expect(runtime.prefetch(reference, { bytesMax, signal })).rejects.toMatchObject({
      reason: "image_too_large",
    });
    Object.assign(cache.parts, { bytesMax });
    expect((await runtime.prefetch(shell, { bytesMax, signal })).bytes).toBe(size);
    expect(
      (await client.call<{ exit_code: number }>(`/${id}/exec`, { body: { command: ["/bin/sh", "-c", "exit 4"] } }))
        .body,
    ).toMatchObject({ exit_code: 4 });
    await client.call(`/${id}`, { method: "DELETE" });
  });

  it("are forgotten a week after the last start", async () => {
    test.clock.advance(8 * 24 * HOURS_MS);
    await warm.refresh(runtime);
    expect(await listWarmImages(test.engines)).toEqual([]);
  });
});
