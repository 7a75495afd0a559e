import { expect, it } from "vitest";
import { campaignAhead } from "./serving-state";

type Campaign = Parameters<typeof campaignAhead>[0][number];

const campaign = (fields: Partial<Campaign>): Campaign => ({
  id: "cmp_1",
  name: "Boots",
  status: "active",
  items: 1,
  reach: "network",
  network: { serving: true, blocked_by: [] },
  figures: null,
  ...fields,
});
const figures = (impressions: number) => ({ impressions, clicks: 0, ctr: null, spend_micros: 0 });
const NO_CHANNEL = { hasChannel: false };

it("is undefined without campaigns", () => expect(campaignAhead([], NO_CHANNEL)).toBeUndefined());

it("names what keeps a campaign from serving, the first thing to fix first", () => {
  const blockOf = (fields: Partial<Campaign>, tenant = NO_CHANNEL) =>
    campaignAhead([campaign(fields)], tenant)?.blockedBy;
  expect(blockOf({})).toBeUndefined();
  expect(blockOf({ status: "draft" })).toBe("It is a draft: start it.");
  expect(blockOf({ status: "paused" })).toBe("It is paused: resume it.");
  expect(blockOf({ status: "ended" })).toMatch(/^It has ended/);
  expect(blockOf({ reach: "tenant", network: null })).toMatch(/only on your own channels, and you have none/);
  expect(blockOf({ reach: "tenant", network: null }, { hasChannel: true })).toBeUndefined();
  const network = { serving: false, blocked_by: ["email_unverified", "no_balance"] as const };
  expect(blockOf({ network: { ...network, blocked_by: [...network.blocked_by] } })).toMatch(/verify their email/);
});

it("follows the campaign that is the furthest", () => {
  const campaigns = [
    campaign({ id: "empty", items: 0 }),
    campaign({ id: "draft", status: "draft" }),
    campaign({ id: "serving" }),
  ];
  expect(campaignAhead(campaigns, NO_CHANNEL)).toMatchObject({ id: "serving", hasItems: true, impressions: 0 });
  const seen = campaign({ id: "seen", status: "ended", figures: figures(3) });
  expect(campaignAhead([...campaigns, seen], NO_CHANNEL)).toMatchObject({ id: "seen", impressions: 3 });
});
