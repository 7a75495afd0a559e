import { describe, expect, test } from "vitest";
import { secondPriceNanos } from "../../../server/ads/auction/second-price";
import { decideOffers } from "../../../server/ads/ranking/decide-offers";
import { neighboursOf, readScenarios, requestOf, stateOf } from "./scenario";
import { ScenarioCaps } from "./scenario-caps";

const scenarios = readScenarios(import.meta.dirname);

test("the scenarios were found", () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

describe.each(scenarios)("$name", ({ scenario }) => {
  test(scenario.about, async () => {
    const state = stateOf(scenario);
    const caps = new ScenarioCaps();
    for (const one of scenario.requests) {
      const { request, now, seed, offers, prices, reasons } = one;
      const asked = requestOf(request);
      const options = { now: new Date(now), seed, neighbours: neighboursOf(one.near) };
      const plain = decideOffers(state, asked, options);
      const ids = await caps.serve(plain.candidates, one);
      expect(ids, JSON.stringify(request)).toEqual(offers);
      for (const [id, nanos] of Object.entries(prices)) {
        const winner = plain.candidates.find(({ item }) => item.id === id);
        expect(winner && secondPriceNanos(winner, plain.candidates, scenario.reserve), `the price of ${id}`).toBe(
          nanos,
        );
      }
      const traced = decideOffers(state, asked, { ...options, traced: true });
      expect(traced.candidates, "tracing changes nothing").toEqual(plain.candidates);
      for (const [id, reason] of Object.entries(reasons)) {
        const fate = traced.fates?.find(({ item, campaign }) => item?.id === id || campaign.id === id);
        expect(fate?.reason, `the fate of ${id}`).toBe(reason);
      }
    }
  });
});
