import { afterEach, describe, expect, it } from "vitest";
import { layerOf } from "../../../../test/factories/image-layers";
import { type PullScene, pullScene } from "../../../../test/factories/pull-scene";
import { waitFor } from "../../../../test/factories/wait-for";
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
    scene = await pullScene(pace);
    const { reference } = await slowImage(50);
    const pull = scene.pull({ reference, owner: "a" });
    await expect(pull).rejects.toMatchObject({
      reason: "registry_unreachable",
      message: expect.stringMatching(message),
    });
  });

  it("A's registry trickles a manifest; the pull fails", async () => {
    scene = await pullScene({ ...PULL_PACE, documentMs: 300 });
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
