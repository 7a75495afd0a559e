import { describe, expect, it } from "vitest";
import type { Fetch } from "../../sdk/call-api";
import { createConversionsClient } from "../../sdk/conversions-client";
import { createOffersClient } from "../../sdk/offers-client";
import { offersPrompt } from "../../sdk/offers-prompt";
import { makeShop, testApp } from "../factories/app";
import { arrived, LOOKS_FOR_MS, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const BASE = "http://localhost:3000";
const BOOTS = { category: "purchase_intent", confidence: 0.9, subject: "warm boots" };

/** The svc of this test, in the place of the network. */
const fetch: Fetch = (url, init) => test.app.offers.fetch(new Request(url, init), { address: "127.0.0.1" });

const test = await openForFile(testApp());
const shop = await makeShop(test);
const client = createOffersClient({ baseUrl: BASE, apiKey: shop.serverKey, fetch });

describe("the client, at a real svc", () => {
  it("gets offers that its prompt takes as they are", async () => {
    const { offers } = await client.offers({ query: "warm boots", limit: 3, locale: "en-GB", geo: "GB" });
    expect(offers).toMatchObject([{ title: "Warm boots", source: "svc", ad_type: "sponsored_result" }]);
    const [offer] = offers;
    expect(offersPrompt(offers)).toContain(`\nlink: ${offer?.clickUrl}\n`);
  });

  it("gets none, and the reason, when a user has asked too often", async () => {
    const ask = () => client.offers({ query: "warm boots", user_id: "often" });
    let answer = await ask();
    for (let n = 0; n < 100 && !answer.reason; n++) answer = await ask();
    expect(answer).toEqual({ offers: [], reason: "frequency_cap" });
  });

  it("learns which field is wrong", async () => {
    await expect(client.offers({ limit: 9 })).rejects.toMatchObject({
      name: "OffersError",
      status: 400,
      code: "invalid_request",
      param: "limit",
      requestId: expect.stringMatching(/./),
    });
    const signals = [{ confidence: 2 }];
    await expect(client.signals({ user_id: "u", signals })).rejects.toMatchObject({ param: "signals[0].confidence" });
    await expect(client.signals({ signals: [BOOTS] })).rejects.toMatchObject({ param: "user_id" });
  });

  it("learns that its key is not valid", async () => {
    const stranger = createOffersClient({ baseUrl: BASE, apiKey: `svc_srv_${"a".repeat(48)}`, fetch });
    await expect(stranger.offers({})).rejects.toMatchObject({ status: 401, code: "unauthorized" });
  });

  it("sends signals that later requests know, but nothing of a reader who set Global Privacy Control", async () => {
    const titles = async (user_id: string) => (await client.offers({ user_id })).offers.map(({ title }) => title);
    await client.signals({ user_id: "shy", signals: [BOOTS] }, { gpc: true });
    await client.signals({ user_id: "open", signals: [BOOTS] });
    expect([await titles("shy"), await titles("open")]).toEqual([[], ["Warm boots"]]);
  });

  it("reports impressions as a server, which count once", async () => {
    const { offers } = await client.offers({ query: "warm boots" });
    const ids = offers.map(({ id }) => id);
    test.clock.advance(LOOKS_FOR_MS);
    await client.impressions(ids);
    const rows = await arrived(test, "impressions", { ids, count: 1 });
    expect(rows).toMatchObject([{ reported_by: "server", traffic: "" }]);
  });

  it("reports orders, each once", async () => {
    const orders = createConversionsClient({ baseUrl: BASE, apiKey: await platformKey(shop.ctx), fetch });
    const order = { order_id: "A-1", value_micros: 49_900_000 };
    expect(await orders.report(order)).toMatchObject({ order_id: "A-1", attribution: "none", duplicate: false });
    expect(await orders.report(order)).toMatchObject({ order_id: "A-1", duplicate: true });
  });
});
