import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../factories/app";
import { manage } from "../factories/calls";
import { layerOf, shellLayer } from "../factories/image-layers";
import { type PodScene, podScene } from "../factories/pod-scene";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";

const scene = await podScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
/** More than the steps that a node once took at a time for all tenants together. */
const SLOW_PODS = 70;
const FOREVER = { command: ["/bin/sh", "-c", 'trap "exit 0" TERM; while :; do sleep 0.05; done'] };

describe.skipIf(skipped)(`pods of several tenants on one node${skipped}`, () => {
  const { shell, registry, client: newClient, close } = scene as PodScene;
  afterAll(() => close());

  it("A starts 70 pods whose registry sends a byte every 20 s; B's pods start and stop, and A's are ended", async () => {
    const [a, b] = await Promise.all([newClient(), newClient()]);
    const running = await b.create({ image: shell, memory_mb: 64, ...FOREVER });
    await b.until(running.id, "ready");
    const { reference: image, layers } = registry.add("slow", {
      layers: [await layerOf([{ name: "slow", content: "slow" }])],
      config: {},
    });
    registry.slow.set(layers[0]?.digest ?? "", 20_000);
    const slow = await Promise.all(Array.from({ length: SLOW_PODS }, () => a.create({ image, memory_mb: 64 })));
    const blobsAsked = () => registry.requests.filter(({ path }) => path.endsWith(`blobs/${layers[0]?.digest}`)).length;
    await eventually(async () => blobsAsked() > 0);

    const next = await b.create({ image: shell, memory_mb: 64, ...FOREVER });
    await b.until(next.id, "ready");
    await b.call(`/${running.id}/stop`, { method: "POST" });
    await b.until(running.id, "stopped");
    const [first = "", last = ""] = [slow[0]?.id, slow.at(-1)?.id];
    for (const id of [first, last]) await a.call(`/${id}/stop`, { method: "POST" });
    for (const id of [first, last]) expect((await a.until(id, "stopped")).started_at).toBeNull();
    expect((await a.get(slow[1]?.id ?? "")).status).toBe("pending");
  });

  it("A's private layers are A's again; B, whose registry names them, cannot run them", async () => {
    const [a, b] = await Promise.all([newClient(), newClient()]);
    const layer = await shellLayer();
    if (typeof layer === "string") throw new Error(layer);
    const password = "token-of-a-registry";
    const closed = await startRegistryDouble({ auth: "basic", credentials: { username: "ada", password } });
    const { reference: image, layers } = closed.add("private", { layers: [layer], config: SHELL_CONFIG });
    await manage(a.test, "/v1/secrets", { key: a.key, body: { name: "REGISTRY", value: password } });
    const registry_credentials = { username: "ada", password: { secret: "REGISTRY" } };
    const own = { image, registry_credentials, memory_mb: 64, command: ["sh", "-c", "echo a"] };
    for (const warm of [false, true]) {
      const { id } = await a.create(own);
      expect((await a.until(id, "completed")).boot).toMatchObject({ warm });
    }
    const { reference: forged } = registry.add("forged", { layers: [layer], config: SHELL_CONFIG });
    registry.blobs.delete(layers[0]?.digest ?? "");
    const { id } = await b.create({ image: forged, memory_mb: 64, command: ["sh", "-c", "echo b"] });
    expect((await b.until(id, "failed")).status_reason?.code).toBe("image_not_found");
    await closed.stop();
  });
});
