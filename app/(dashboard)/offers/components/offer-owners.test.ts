import { expect, it } from "vitest";
import { offerOwnersOf } from "./offer-owners";

const row = (channel: string, campaign: string | null, [impressions, clicks]: [number, number]) =>
  ({ channel, campaign, impressions, clicks }) as Parameters<typeof offerOwnersOf>[0][number];

const ROWS = [
  row("chn_1", null, [0, 0]),
  row("chn_1", "house", [10, 3]),
  row("chn_1", "network", [5, 2]),
  row("chn_2", "house", [1, 1]),
  row("chn_2", "cmp_own", [4, 1]),
  row("network", "cmp_own", [100, 50]),
];

it("separates house offers and own campaigns, which earn nothing, from those of others", () => {
  expect(offerOwnersOf(ROWS)).toEqual({
    house: { impressions: 11, clicks: 4 },
    own: { impressions: 4, clicks: 1 },
    others: { impressions: 5, clicks: 2 },
  });
});

it("sums one channel alone", () => {
  expect(offerOwnersOf(ROWS, "chn_2").house).toEqual({ impressions: 1, clicks: 1 });
});
