import { describe, expect, it } from "vitest";
import type { Explanation } from "../../server/ads/explain/explanation";
import { ManualClock } from "../../server/kernel/clock";
import { makeCampaign, makeCreative } from "../factories/ads";
import { makeShop, served, testApp } from "../factories/app";
import { manage, offersFor, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const QUERY = "warm boots";
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));
const caps = [{ count: 1, window_seconds: 3600 }];
const shop = await makeShop(test, {
  campaign: { caps, bid_micros: 9_000_000 },
  creative: { title: "Warm boots, capped" },
});
const free = await makeCampaign(shop.ctx, { mode: "live", name: "Free", bid_micros: 1_000_000 });
await makeCreative(shop.ctx, free.id, { title: "Warm boots, free" });
const key = await platformKey(shop.ctx, { mode: "live", scopes: ["ads:read"] });
await served(test, shop.serverKey);

/** The outcome of each creative, with its reason and place. */
async function explain(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const asked = { channel_id: shop.channel.id, query: QUERY, ...body };
  const response = await manage(test, "/v1/ads/explain", { key, body: asked });
  expect(response.status).toBe(200);
  const { fates } = (await response.json()) as Explanation;
  return Object.fromEntries(
    fates.map(({ title, outcome, reason, rank }) => [title?.split(", ")[1], [outcome, reason, rank]]),
  );
}
const titles = async (body: Record<string, unknown>) =>
  (await offersFor(test, shop.serverKey, { query: QUERY, ...body })).offers.map(({ title }) => title);

describe("POST /v1/ads/explain", () => {
  it("says frequency_cap for a user at a cap, as serving does, and for nobody else", async () => {
    const open = { capped: ["offered", null, 1], free: ["runner_up", null, 2] };
    expect(await explain({ user_id: "ada" })).toEqual(open);
    expect(await titles({ user_id: "ada" })).toEqual(["Warm boots, capped"]);
    expect(await explain({ user_id: "ada" })).toEqual({
      capped: ["left_out", "frequency_cap", null],
      free: ["offered", null, 1],
    });
    expect(await titles({ user_id: "ada" })).toEqual(["Warm boots, free"]);
    expect(await explain({ user_id: "bob" })).toEqual(open);
    expect(await explain({})).toEqual(open);
    clock.advance(3600_000);
    expect(await explain({ user_id: "ada" })).toEqual(open);
  });

  it("counts nothing: however often it is asked, the user's places stay", async () => {
    for (let i = 0; i < 5; i++) await explain({ user_id: "cyd", limit: 2 });
    expect(await titles({ user_id: "cyd" })).toEqual(["Warm boots, capped"]);
  });

  it.each([
    ["Sec-GPC", { gpc: true }, { headers: { "sec-gpc": "1" } }],
    ["a consent string that refuses", { consent: { tcf: "unreadable" } }, { consent: { tcf: "unreadable" } }],
  ])("says consent where %s forbids to remember the visitor, as serving does", async (_name, asked, sent) => {
    expect(await explain({ user_id: "dee", ...asked })).toEqual({
      capped: ["left_out", "consent", null],
      free: ["offered", null, 1],
    });
    expect(await titles({ user_id: "dee", ...sent })).toEqual(["Warm boots, free"]);
  });
});
