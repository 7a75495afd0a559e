import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { layerOf } from "../../../../test/factories/image-layers";
import { type PullScene, pullScene } from "../../../../test/factories/pull-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { keyOfLayers } from "./layer-origin";
import { PULL_PACE } from "./pull-turns";

const PULLS = 64;

let scene: PullScene;
afterEach(() => scene.close());

/** An image whose layer comes a byte at a time. */
async function slowImage(everyMs: number, name = "slow") {
  const added = scene.registry.add(name, { layers: [await layerOf([{ name, content: name }])], config: {} });
  const digest = added.layers[0]?.digest ?? "";
  scene.registry.slow.set(digest, everyMs);
  const isAsked = () => scene.registry.requests.some(({ path }) => path.endsWith(`blobs/${digest}`));
  return { reference: added.reference, digest, isAsked };
}

describe("pulls from a slow registry", () => {
  it("A's registry trickles the layers of 64 images; B's image is pulled, and A's pulls are ended at once", async () => {
    scene = await pullScene();
    const layer = await layerOf([{ name: "b", content: "b" }]);
    const endings = Array.from({ length: PULLS }, () => new AbortController());
    const images = await Promise.all(Array.from({ length: PULLS }, (_, index) => slowImage(20_000, `slow${index}`)));
    const pulls = images.map(({ reference }, i) => scene.pull({ reference, owner: "a" }, endings[i]?.signal));
    const failures = Promise.allSettled(pulls);
    await waitFor(() => expect(images.filter(({ isAsked }) => isAsked()).length).toBeGreaterThan(1));
    const { reference } = scene.registry.add("b", { layers: [layer], config: { Cmd: ["b"] } });
    expect((await scene.pull({ reference, owner: "b" })).config.cmd).toEqual(["b"]);
    expect(images.some(({ isAsked }) => !isAsked())).toBe(true);
    for (const ending of endings) ending.abort(new Error("ended"));
    for (const result of await failures) expect(result).toMatchObject({ reason: { message: "ended" } });
  });

  it.each([
    ["a layer below the least pace", { ...PULL_PACE, windowMs: 300 }, /slower than \d+ bytes per second/],
    ["a layer that never ends", { ...PULL_PACE, windowBytesMin: 1, pullMs: 600 }, /within 0.6 s/],
  ])("A's registry sends %s; the pull fails", async (_, pace, message) => {
    scene = await pullScene({ pace });
    const { reference } = await slowImage(50);
    const pull = scene.pull({ reference, owner: "a" });
    await expect(pull).rejects.toMatchObject({
      reason: "registry_unreachable",
      message: expect.stringMatching(message),
    });
  });

  it("A's registry trickles a manifest; the pull fails", async () => {
    scene = await pullScene({ pace: { ...PULL_PACE, documentMs: 300 } });
    const { reference } = await slowImage(50);
    scene.registry.slow.set("slow@latest", 50);
    await expect(scene.pull({ reference })).rejects.toThrow("a document was not complete after 0.3 s");
  });

  it("a pull that waits for the same layer of another one is ended at once", async () => {
    scene = await pullScene();
    const { reference, isAsked } = await slowImage(20_000);
    const [first, second] = [new AbortController(), new AbortController()];
    const filling = scene.pull({ reference, owner: "a" }, first.signal).catch((cause: Error) => cause.message);
    await waitFor(() => expect(isAsked()).toBe(true));
    const asked = scene.registry.requests.length;
    const waiting = scene.pull({ reference, owner: "a" }, second.signal);
    // Its manifest and its configuration.
    await waitFor(() => expect(scene.registry.requests.length).toBe(asked + 2));
    second.abort(new Error("ended"));
    await expect(waiting).rejects.toThrow("ended");
    first.abort(new Error("ended too"));
    expect(await filling).toBe("ended too");
  });
});

describe("pulls that have unpacked a part of their images", () => {
  it("A's pulls take at most half of the disk that pulls may take; B's image is pulled", async () => {
    scene = await pullScene({ bytesMax: 10_000_000 });
    const [slow, noise] = [await layerOf([{ name: "slow" }]), randomBytes(4_000_000)];
    const add = async (name: string, content: Buffer, more: { bytes: Buffer }[] = []) =>
      scene.registry.add(name, { layers: [await layerOf([{ name, content }]), ...more], config: {} });
    const ending = new AbortController();
    const held: Promise<unknown>[] = [];
    for (const name of ["one", "two"]) {
      const { reference, layers } = await add(name, noise, [slow]);
      scene.registry.slow.set(layers[1]?.digest ?? "", 20_000);
      held.push(scene.pull({ reference, owner: "a" }, ending.signal));
      const origin = { registry: scene.registry.host, repository: name, reader: null };
      const key = keyOfLayers(origin, layers.slice(0, 1));
      await waitFor(async () => expect(await scene.parts.cache.has(key)).toBe(true));
    }
    const ended = Promise.allSettled(held);
    const third = await add("three", noise);
    const pullThird = () => scene.pull({ reference: third.reference, owner: "a" });
    await expect(pullThird()).rejects.toMatchObject({ reason: "no_disk_space" });
    const { reference } = await add("b", noise.subarray(0, 1_000_000));
    await expect(scene.pull({ reference, owner: "b" })).resolves.toBeDefined();
    ending.abort(new Error("ended"));
    await ended;
    await expect(pullThird()).resolves.toBeDefined();
  });
});
