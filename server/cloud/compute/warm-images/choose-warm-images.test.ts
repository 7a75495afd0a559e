import { describe, expect, it } from "vitest";
import { chooseWarmImages, type ImageDemand, type KnownImage } from "./choose-warm-images";

interface Scenario {
  name: string;
  demand: readonly [sku: string, image: string, starts: number][];
  /** Bytes, and whether it is ready. */
  known?: Record<string, [bytes: number | null, isReady: boolean]>;
  chosen: string[];
}

const LIMITS = { bytesMax: 100, imageBytesMax: 60 };

const SCENARIOS: Scenario[] = [
  {
    name: "adds the demand of an image over SKUs",
    demand: [
      ["h100", "a", 2],
      ["cpu", "b", 3],
      ["l40s", "a", 2],
    ],
    known: { a: [60, false], b: [50, false] },
    chosen: ["a"],
  },
  {
    name: "prefers starts per byte, and fills what is left",
    demand: [
      ["cpu", "large", 5],
      ["cpu", "small", 4],
      ["cpu", "tiny", 1],
    ],
    known: { large: [60, false], small: [30, false], tiny: [20, false] },
    chosen: ["small", "large"],
  },
  {
    name: "takes one start for a day",
    demand: [
      ["cpu", "new", 1],
      ["cpu", "old", 0.49],
    ],
    chosen: ["new"],
  },
  {
    name: "keeps what is ready for longer",
    demand: [
      ["cpu", "ready", 0.3],
      ["cpu", "gone", 0.3],
      ["cpu", "forgotten", 0.2],
    ],
    known: { ready: [10, true], gone: [10, false], forgotten: [10, true] },
    chosen: ["ready"],
  },
  {
    name: "does not replace what is ready for little more demand",
    demand: [
      ["cpu", "ready", 4],
      ["cpu", "other", 5],
    ],
    known: { ready: [60, true], other: [60, false] },
    chosen: ["ready"],
  },
  {
    name: "replaces what is ready for much more demand",
    demand: [
      ["cpu", "ready", 4],
      ["cpu", "other", 7],
    ],
    known: { ready: [60, true], other: [60, false] },
    chosen: ["other"],
  },
  { name: "leaves out what is too large", demand: [["cpu", "huge", 99]], known: { huge: [61, false] }, chosen: [] },
];

describe("the images that a node keeps ready", () => {
  it.each(SCENARIOS)("$name", ({ demand, known = {}, chosen }) => {
    const demands = demand.map(([sku, image, starts]): ImageDemand => ({ sku, image, starts }));
    expect(chooseWarmImages(demands, { ...LIMITS, known: knownOf(known) }).map(({ image }) => image)).toEqual(chosen);
  });

  it("are the same when they are chosen again after they were pulled", () => {
    const demands = ["a", "b", "c", "d", "e", "f"].map((image) => ({ sku: "cpu", image, starts: 2 }));
    const first = chooseWarmImages(demands, { ...LIMITS, known: new Map() });
    const pulled = new Map(first.map(({ image }) => [image, { bytes: 15, isReady: true }]));
    const second = chooseWarmImages(demands, { ...LIMITS, known: pulled });
    expect(second.slice(0, first.length)).toEqual(first);
  });
});

const knownOf = (known: NonNullable<Scenario["known"]>): Map<string, KnownImage> =>
  new Map(Object.entries(known).map(([image, [bytes, isReady]]) => [image, { bytes, isReady }]));
