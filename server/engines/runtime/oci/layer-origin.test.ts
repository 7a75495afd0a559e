import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layerOf, tarOf } from "../../../../test/factories/image-layers";
import { type PullScene, pullScene } from "../../../../test/factories/pull-scene";
import { type RegistryDoubleOptions, startRegistryDouble } from "../../../../test/factories/registry-double";
import type { ImageSource } from "../runtime";

type Registry = PullScene["registry"];

const CREDENTIALS = { username: "a", password: "of a" };
const NOT_FOUND = { reason: "image_not_found" };
const FILE = "model";
const LAYER = await layerOf([{ name: FILE, content: "of a" }]);

let scene: PullScene;
let others: Registry[];
beforeEach(async () => {
  scene = await pullScene();
  others = [];
});
afterEach(async () => {
  await Promise.all(others.map((registry) => registry.stop()));
  await scene.close();
});

async function registryOf(options?: RegistryDoubleOptions): Promise<Registry> {
  const registry = await startRegistryDouble(options);
  others.push(registry);
  return registry;
}

const addModel = (registry: Registry, { name = "app", layer = LAYER } = {}) =>
  registry.add(name, { layers: [layer], config: {} });

async function modelOf(source: ImageSource): Promise<string> {
  const { layers, release } = await scene.pull(source);
  const content = await readFile(path.join(layers[0]?.folder ?? "", FILE), "utf8");
  release();
  return content;
}

describe("kept layers", () => {
  it("A's private layer is not given to B, whose own registry has a manifest that names its digest", async () => {
    const registry = await registryOf({ auth: "bearer", credentials: CREDENTIALS });
    const { reference, layers } = addModel(registry);
    expect(await modelOf({ reference, credentials: CREDENTIALS, owner: "a" })).toBe("of a");
    const { reference: forged } = addModel(scene.registry);
    scene.registry.blobs.delete(layers[0]?.digest ?? "");
    for (const credentials of [undefined, CREDENTIALS])
      await expect(scene.pull({ reference: forged, credentials, owner: "b" })).rejects.toMatchObject(NOT_FOUND);
    expect(await modelOf({ reference, credentials: CREDENTIALS, owner: "a" })).toBe("of a");
  });

  it("A's layer of one repository is not given to B, whose repository at the same registry names its digest", async () => {
    const { registry } = scene;
    const { reference, layers } = addModel(registry, { name: "a/app" });
    expect(await modelOf({ reference, owner: "a" })).toBe("of a");
    const { reference: forged } = addModel(registry, { name: "b/app" });
    registry.blobs.delete(layers[0]?.digest ?? "");
    await expect(scene.pull({ reference: forged, owner: "b" })).rejects.toMatchObject(NOT_FOUND);
  });

  it("A's private layer is not given to B, who has taken over the name of A's registry", async () => {
    const registry = await registryOf({ auth: "basic", credentials: CREDENTIALS });
    const { reference, layers } = addModel(registry);
    expect(await modelOf({ reference, credentials: CREDENTIALS, owner: "a" })).toBe("of a");
    registry.blobs.delete(layers[0]?.digest ?? "");
    await expect(scene.pull({ reference, credentials: CREDENTIALS, owner: "b" })).rejects.toMatchObject(NOT_FOUND);
    expect(await modelOf({ reference, credentials: CREDENTIALS, owner: "a" })).toBe("of a");
  });

  it("A and B share a layer that anybody may read in the same repository", async () => {
    const { reference } = addModel(scene.registry);
    await modelOf({ reference, owner: "a" });
    const asked = scene.registry.requests.length;
    expect(await modelOf({ reference, owner: "b" })).toBe("of a");
    // The manifest and the configuration.
    expect(scene.registry.requests.length).toBe(asked + 2);
  });

  it("A's registry cannot give a layer other files than those of its digest, with zeros behind them", async () => {
    const layer = await layerOf([{ name: FILE, content: randomBytes(300_000) }]);
    const { reference, layers } = addModel(scene.registry, { layer });
    const other = gzipSync(await tarOf([{ name: FILE, content: "other files" }]));
    const size = layers[0]?.size ?? 0;
    scene.registry.blobs.set(layers[0]?.digest ?? "", Buffer.concat([other, Buffer.alloc(size - other.length)]));
    await expect(scene.pull({ reference })).rejects.toMatchObject({ reason: "digest_mismatch" });
  });
});
