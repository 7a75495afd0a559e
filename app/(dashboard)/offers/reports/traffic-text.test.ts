import { describe, expect, it } from "vitest";
import { TRAFFIC_REASONS } from "../../../../server/ads/traffic/traffic-reason";
import { trafficMeaning, trafficName } from "./traffic-text";

const KINDS = ["valid", ...Object.keys(TRAFFIC_REASONS)];
/** What a bar's label holds before it is cut. */
const NAME_CHARACTERS_MAX = 16;

describe("the words for traffic", () => {
  it.each(KINDS)("name %s in a few words, and say in a sentence what it is", (traffic) => {
    expect(trafficName(traffic)).toMatch(/^[A-Z]/);
    expect(trafficName(traffic).length).toBeLessThanOrEqual(NAME_CHARACTERS_MAX);
    expect(trafficMeaning(traffic)).toMatch(/^[A-Z].*\.$/);
  });

  it("call no two kinds the same", () => expect(new Set(KINDS.map(trafficName)).size).toBe(KINDS.length));

  it.each(["solar_flare", "constructor"])("leave %s as the API names it", (traffic) => {
    expect([trafficName(traffic), trafficMeaning(traffic)]).toEqual([traffic, undefined]);
  });
});
