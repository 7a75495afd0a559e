import { describe, expect, test } from "vitest";
import { secondPriceNanos } from "../../../server/ads/auction/second-price";
import { TermAffinity } from "../../../server/ads/auction/term-affinity";
import { decideOffers } from "../../../server/ads/ranking/decide-offers";
import { requestOf, Scenario, stateOf } from "./scenario";

const NOW = new Date("2026-11-20T12:00:00Z");
const RESERVE = { cpcMicros: 1, cpmMicros: 1 };

const world = Scenario.parse({
  about: "three advertisers with equal offers, and one that fits worse",
  campaigns: [
    { id: "ada", bid_micros: 400_000, creatives: [{ id: "a", title: "Trail running shoes" }] },
    { id: "bob", bid_micros: 500_000, creatives: [{ id: "b", title: "Trail running shoes" }] },
    { id: "cyd", bid_micros: 4_000, model: "cpm", creatives: [{ id: "c", title: "Trail running shoes" }] },
    { id: "dan", bid_micros: 9_000_000, creatives: [{ id: "d", title: "Trail shoes" }] },
  ],
  requests: [{ request: { query: "trail running shoes", limit: 4 }, offers: [] }],
});

/** The affinities of items for a word, overall. */
const knowing = (affinities: Readonly<Record<string, number>>, term = "shoe") => {
  const logs = new Map(Object.entries(affinities).map(([id, affinity]) => [id, Math.log(affinity) * 3]));
  return new TermAffinity({ overall: new Map([[term, logs]]), byChannel: new Map() });
};

function decide(affinity?: TermAffinity, { traced = false, query = "trail running shoes" } = {}) {
  const state = stateOf(world);
  if (affinity) state.putTermAffinity(affinity);
  const asked = requestOf({ ...world.requests[0]?.request, query } as Parameters<typeof requestOf>[0]);
  return decideOffers(state, asked, { now: NOW, seed: "one", traced });
}

const ranks = (decision: ReturnType<typeof decide>) => decision.candidates.map(({ item }) => item.id);

describe("affinity of words and items", () => {
  test("changes nothing without data, and by data of other words or items", () => {
    const plain = decide();
    for (const unrelated of [new TermAffinity(), knowing({ a: 2 }, "boot"), knowing({ zed: 2 })]) {
      expect(decide(unrelated)).toEqual(plain);
      expect(decide(unrelated, { traced: true })).toEqual(decide(undefined, { traced: true }));
    }
  });

  test("is a factor of the value of a click, not of an impression that is paid for as such", () => {
    const [plain, known] = [decide(), decide(knowing({ a: 1.5, b: 0.8, c: 2 }))];
    const factor = (id: string) => {
      const [before, after] = [plain, known].map(({ candidates }) => candidates.find(({ item }) => item.id === id));
      expect((after?.value ?? 0) / (before?.value ?? 1)).toBeCloseTo(
        (after?.valuePerMicro ?? 0) / (before?.valuePerMicro ?? 1),
        10,
      );
      return (after?.value ?? 0) / (before?.value ?? 1);
    };
    expect(factor("a")).toBeCloseTo(1.5, 10);
    expect(factor("b")).toBeCloseTo(0.8, 10);
    expect(factor("c")).toBe(1);
  });

  test("moves ranks among offers that fit, and lifts no poor fit over the quality floor", () => {
    expect(ranks(decide()).slice(0, 2)).toEqual(["b", "a"]);
    expect(ranks(decide(knowing({ a: 1.5 }))).slice(0, 2)).toEqual(["a", "b"]);
    const { fates = [] } = decide(knowing({ d: 2 }), { traced: true });
    expect(fates.find(({ item }) => item?.id === "d")?.parts).toMatchObject({ isAboveFloor: false });
    expect(ranks(decide(knowing({ d: 2 })))).toEqual(["b", "a", "c", "d"]);
  });

  test("leaves the gate alone", () => {
    const query = "why do my shoes smell of volcanoes";
    expect(ranks(decide(undefined, { query }))).toEqual([]);
    expect(ranks(decide(knowing({ a: 2, b: 2 }), { query }))).toEqual([]);
  });

  test("prices the winner by the least bid that would have kept its place", () => {
    const { candidates } = decide(knowing({ a: 1.5 }));
    const [winner, rival] = candidates;
    if (!winner || !rival) throw new Error("Two offers fit.");
    expect([winner.item.id, rival.item.id]).toEqual(["a", "b"]);
    // Its words count one and a half times, so two thirds of the rival's bid are enough.
    expect(secondPriceNanos(winner, candidates, RESERVE)).toBeCloseTo((500_000 / 1.5) * 1000, -1);
  });

  test("is among the parts of the value that are explained", () => {
    const { fates = [] } = decide(knowing({ a: 1.5, c: 2 }), { traced: true });
    const parts = (id: string) => fates.find(({ item }) => item?.id === id)?.parts;
    for (const [id, affinity] of [
      ["a", 1.5],
      ["b", 1],
      ["c", 1],
    ] as const) {
      expect(parts(id)?.termAffinity).toBeCloseTo(affinity, 10);
    }
    const { relevance = 0, rate = 0, exploration = 0, value = 0 } = parts("a") ?? {};
    expect(value).toBeCloseTo(relevance * rate * exploration * 1.5 * 400_000 * 1000, 3);
  });

  test("is learned for the wanted words that items have, never for other words of a query", () => {
    const terms = (query: string) => decide(undefined, { query }).terms;
    expect(terms("trail running shoes")).toEqual(["trail", "run", "shoe"]);
    expect(terms("trail shoes for anna miller")).toEqual(["trail", "shoe"]);
    expect(terms("anna.miller@example.com")).toEqual([]);
  });
});
