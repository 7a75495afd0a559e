import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layerOf } from "../../../../test/factories/image-layers";
import { type PullScene, pullScene } from "../../../../test/factories/pull-scene";

const TOO_LARGE = { reason: "image_too_large" };

let scene: PullScene;
beforeEach(async () => {
  scene = await pullScene({ bytesMax: 100_000 });
});
afterEach(() => scene.close());

/** Pulls an image of 24 kB, which stays in use. */
async function use(name: string, owner: string) {
  const layers = [await layerOf([{ name, content: name.repeat(20_000 / name.length) }])];
  return scene.pull({ reference: scene.registry.add(name, { layers, config: {} }).reference, owner });
}

describe("a node whose images in use fill its cache", () => {
  it("A's images take all of it; B's first image is pulled, and neither gets more", async () => {
    const ofA = [];
    for (const name of ["a0", "a1", "a2", "a3"]) ofA.push(await use(name, "a"));
    await expect(use("a4", "a")).rejects.toMatchObject(TOO_LARGE);
    await expect(use("b0", "b")).resolves.toBeDefined();
    await expect(use("b1", "b")).rejects.toMatchObject(TOO_LARGE);
    for (const { release } of ofA) release();
    await expect(use("b1", "b")).resolves.toBeDefined();
  });
});
