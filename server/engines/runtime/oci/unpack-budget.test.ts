import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tarOf } from "../../../../test/factories/image-layers";
import { type PullScene, pullScene } from "../../../../test/factories/pull-scene";

const MIB = 1024 ** 2;
const ZEROS = gzipSync(Buffer.alloc(MIB));

let scene: PullScene;
beforeEach(async () => {
  scene = await pullScene();
});
afterEach(() => scene.close());

/** A layer with one small file and, behind the end of the archive, so many MiB of zeros. */
const padded = async (name: string, mib: number) => ({
  bytes: Buffer.concat([gzipSync(await tarOf([{ name, content: name }])), ...Array.from({ length: mib }, () => ZEROS)]),
});

describe("an image that unpacks to far more than its size", () => {
  it.each([
    ["one layer", [320]],
    ["each of its layers a little", [110, 110, 110]],
  ])("A's image of zeros, %s, is left when it is too much, also behind the end of its archives", async (_, sizes) => {
    const layers = await Promise.all(sizes.map((mib, index) => padded(`layer${index}`, mib)));
    const { reference } = scene.registry.add("zeros", { layers, config: {} });
    const pull = scene.pull({ reference, owner: "a" });
    await expect(pull).rejects.toMatchObject({
      reason: "image_too_large",
      message: expect.stringContaining("100 times its size"),
    });
  });

  it("leaves images alone that shrink a lot and are small", async () => {
    const { reference } = scene.registry.add("small", { layers: [await padded("small", 100)], config: {} });
    expect((await scene.pull({ reference })).layers).toHaveLength(1);
  });
});
