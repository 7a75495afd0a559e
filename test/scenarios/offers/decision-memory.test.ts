import { beforeEach, describe, expect, test } from "vitest";
import type { ServingState } from "../../../server/ads/matching/serving-state";
import { decideOffers } from "../../../server/ads/ranking/decide-offers";
import { DecisionMemory, requestKey } from "../../../server/ads/ranking/decision-memory";
import { NOTHING_RANKED } from "../../../server/ads/ranking/ranking";
import { requestOf, Scenario, stateOf } from "./scenario";

const NOW = Date.parse("2026-11-20T12:00:00Z");

const scenarioOf = (campaign: object, query = "running shoes") =>
  Scenario.parse({
    about: "one campaign",
    campaigns: [{ id: "a", creatives: [{ id: "shoe", title: "Running shoes", content: "Light" }], ...campaign }],
    requests: [{ request: { query }, offers: [] }],
  });

const askedFor = (query: string) => {
  const [one] = scenarioOf({}, query).requests;
  if (!one) throw new Error("The scenario has one request.");
  return requestOf(one.request);
};

let memory: DecisionMemory;
beforeEach(() => {
  memory = new DecisionMemory();
});

const decideOnce = (state: ServingState, query: string, { seed = "one", now = NOW } = {}) =>
  decideOffers(state, askedFor(query), { now: new Date(now), seed, memory });

/** Twice, because a request is remembered from its second time on. */
function decide(...asked: Parameters<typeof decideOnce>) {
  const first = decideOnce(...asked);
  expect(decideOnce(...asked)).toEqual(first);
  return first;
}

const isKnown = (state: ServingState, query: string, { seed = "one", now = NOW } = {}) =>
  memory.find(state, requestKey(askedFor(query)) ?? "", { seed, neighbours: undefined, now: new Date(now) }) !==
  undefined;

describe("the memory of decisions", () => {
  test("knows a request again in other case and spacing, but no other request", () => {
    const state = stateOf(scenarioOf({}));
    expect(isKnown(state, "running shoes")).toBe(false);
    expect(decide(state, "running shoes").candidates).toHaveLength(1);
    expect(isKnown(state, "  Running \n SHOES ")).toBe(true);
    expect(isKnown(state, "walking shoes")).toBe(false);
    expect(decide(state, "RUNNING shoes").candidates).toHaveLength(1);
  });

  test("does not keep what is asked only once", () => {
    const state = stateOf(scenarioOf({}));
    decideOnce(state, "running shoes");
    expect(isKnown(state, "running shoes")).toBe(false);
    decideOnce(state, "running shoes");
    expect(isKnown(state, "running shoes")).toBe(true);
  });

  test("knows that nothing fits", () => {
    const state = stateOf(scenarioOf({}));
    expect(decide(state, "why is the sky blue").candidates).toEqual([]);
    expect(isKnown(state, "why is the sky blue")).toBe(true);
  });

  test("forgets when anything changes, and after ten seconds", () => {
    const state = stateOf(scenarioOf({}));
    decide(state, "running shoes");
    expect(isKnown(state, "running shoes", { now: NOW + 10_000 })).toBe(true);
    expect(isKnown(state, "running shoes", { now: NOW + 10_001 })).toBe(false);
    state.removeItem("shoe");
    expect(isKnown(state, "running shoes")).toBe(false);
    expect(decide(state, "running shoes").candidates).toEqual([]);
  });

  test("knows a request with a paced campaign for seeds with which it participates, or with which it does not", () => {
    const state = stateOf(scenarioOf({ pass_rate: 0.5 }));
    const seeds = Array.from({ length: 64 }, (_, i) => `seed ${i}`);
    const offered = (seed: string) => decide(state, "running shoes", { seed }).candidates.length === 1;
    const [yes = "", no = ""] = [seeds.find(offered), seeds.find((seed) => !offered(seed))];
    for (const seed of seeds) expect(isKnown(state, "running shoes", { seed })).toBe(true);
    expect([yes, no].map(offered)).toEqual([true, false]);
    const passing = seeds.filter(offered).length;
    expect(passing).toBeGreaterThan(16);
    expect(passing).toBeLessThan(48);
  });

  test("does not keep what depends on the time: a campaign with an end", () => {
    const ends_at = new Date(NOW + 1000).toISOString();
    const state = stateOf(scenarioOf({ ends_at }));
    expect(decide(state, "running shoes").candidates).toHaveLength(1);
    expect(isKnown(state, "running shoes")).toBe(false);
    expect(decide(state, "running shoes", { now: NOW + 1000 }).candidates).toEqual([]);
  });

  test("knows a request only with the same near items", () => {
    const state = stateOf(scenarioOf({}));
    const near = () => ({ ids: ["shoe"], cosines: Float32Array.of(0.9), cosineMin: 0.6 });
    const neighbours = near();
    const now = new Date(NOW);
    const asked = askedFor("footwear");
    const nearDecision = () => decideOffers(state, asked, { now, seed: "one", memory, neighbours });
    const { candidates } = nearDecision();
    expect(nearDecision().candidates).toEqual(candidates);
    const key = requestKey(asked) ?? "";
    expect(memory.find(state, key, { seed: "two", now, neighbours })?.contenders).toHaveLength(candidates.length);
    expect(memory.find(state, key, { seed: "two", now, neighbours: near() })).toBeUndefined();
    expect(isKnown(state, "footwear")).toBe(false);
  });

  test("is bounded: long requests are not kept, and others replace each other", () => {
    const state = stateOf(scenarioOf({}));
    expect(requestKey(askedFor("shoes ".repeat(300)))).toBeUndefined();
    decide(state, "running shoes");
    const key = (i: number) => requestKey(askedFor(`request ${i}`)) ?? "";
    const nothing = { ...NOTHING_RANKED, paced: new Map(), neighbours: undefined, now: new Date(NOW) };
    for (let i = 0; i < 100_000; i++) memory.keep(state, key(i >> 1), nothing);
    expect(isKnown(state, "running shoes")).toBe(false);
    expect(memory.find(state, key(49_999), { seed: "", neighbours: undefined, now: new Date(NOW) })).toBeDefined();
  });
});
