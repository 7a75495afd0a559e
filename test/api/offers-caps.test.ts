import { describe, expect, it } from "vitest";
import { userKeyOf } from "../../server/ads/users/subject-keys";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { makeCampaign, makeCreative } from "../factories/ads";
import { makeShop, makeTenant, served, testApp } from "../factories/app";
import { arrived, manage, offersFor, oneOffer, platformKey, reportIds, type Served, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));

const HOUR_MS = 3_600_000;
const capPer = (per: string) => ({ caps: [{ count: 1, window_seconds: 86_400, per }] });

describe("a place in a user's caps", () => {
  it("is given back when the offer cannot be recorded", async () => {
    const { serverKey } = await makeShop(test, { campaign: capPer("campaign") });
    const asked = { query: "warm boots", user_id: "ada" };
    const { wal } = test.engines;
    const { append } = wal;
    wal.append = () => Promise.reject(new ServiceError("unavailable", "The disk is full."));
    const { status } = await send(test, "/api/v1/offers", { key: serverKey, body: asked });
    wal.append = append;
    expect(status).toBe(503);
    expect((await offersFor(test, serverKey, asked)).offers).toHaveLength(1);
    expect((await offersFor(test, serverKey, asked)).reason).toBe("frequency_cap");
  });
});

describe("requests of one user", () => {
  it.each([1, 2, 10, 59, 60, 61, 100, 1000])(
    "pass exactly up to 60 a minute when %i come at once",
    async (requests) => {
      const { serverKey } = await makeShop(test);
      const ask = () => send(test, "/api/v1/offers", { key: serverKey, body: { query: "warm boots", user_id: "fay" } });
      const answers = await Promise.all(
        Array.from({ length: requests }, async () => (await ask()).json() as Promise<Served>),
      );
      expect(answers.filter(({ offers }) => offers.length === 1)).toHaveLength(Math.min(60, requests));
      const refused = answers.filter(({ reason }) => reason === "frequency_cap");
      expect(refused).toHaveLength(Math.max(0, requests - 60));
      expect(refused.every(({ offers }) => offers.length === 0)).toBe(true);
    },
    60_000,
  );
});

describe("a cap of one a day", () => {
  it("counts a seen offer for the day and gives an unseen one's place back after two hours and a minute", async () => {
    const { serverKey } = await makeShop(test, { campaign: capPer("campaign") });
    const reason = async (user_id: string) => (await offersFor(test, serverKey, { user_id })).reason;
    const seen = await oneOffer(test, serverKey, { user_id: "sees" });
    await oneOffer(test, serverKey, { user_id: "leaves" });
    expect((await reportIds(test, [seen.id, seen.id])).status).toBe(204);
    await arrived(test, "impressions", { ids: [seen.id], count: 1 });
    expect([await reason("sees"), await reason("leaves")]).toEqual(["frequency_cap", "frequency_cap"]);
    clock.advance(2 * HOUR_MS + 61_000);
    expect([await reason("sees"), await reason("leaves")]).toEqual(["frequency_cap", undefined]);
    clock.advance(22 * HOUR_MS);
    expect(await reason("sees")).toBeUndefined();
  });

  it("counts no impression that is invalid traffic", async () => {
    const { serverKey } = await makeShop(test, { campaign: capPer("campaign") });
    const offer = await oneOffer(test, serverKey, { user_id: "bot" });
    await reportIds(test, [offer.id], { headers: { "user-agent": "Googlebot/2.1" } });
    clock.advance(2 * HOUR_MS + 61_000);
    expect((await offersFor(test, serverKey, { user_id: "bot" })).offers).toHaveLength(1);
  });
});

describe("DELETE /v1/ads/users/{user_id}", () => {
  it("forgets what caps counted about a user of this tenant, seen and held, and nothing of another tenant's", async () => {
    const fields = { campaign: { caps: [{ count: 2, window_seconds: 86_400, per: "advertiser" }] } };
    const [shop, other] = [await makeShop(test, fields), await makeShop(test, fields)];
    const shops = [shop, other];
    const { sql } = test.engines;
    const keys = shops.map(({ tenantId }) => userKeyOf(test.app.ads.userKey, tenantId, "gus"));
    const ids: string[] = [];
    for (const { serverKey } of shops) {
      const { id } = await oneOffer(test, serverKey, { user_id: "gus" });
      ids.push(id, (await oneOffer(test, serverKey, { user_id: "gus" })).id);
      await reportIds(test, [id]);
    }
    const [seen = "", held = ""] = ids;
    const kept = async () => {
      const { rows } = await sql.query(
        `SELECT (SELECT array_agg(user_key) FROM cap_events WHERE user_key = ANY ($1)) AS events,
           (SELECT array_agg(user_key) FROM offers WHERE user_key = ANY ($1)) AS offers,
           (SELECT array_agg(caps->>'user') FROM offers WHERE caps->>'user' = ANY ($1)) AS holders`,
        [keys],
      );
      return rows[0];
    };
    for (const column of Object.values(await kept())) expect(new Set(column as string[])).toEqual(new Set(keys));
    const reasonAt = async ({ serverKey }: { serverKey: string }) =>
      (await offersFor(test, serverKey, { user_id: "gus" })).reason;
    expect([await reasonAt(shop), await reasonAt(other)]).toEqual(["frequency_cap", "frequency_cap"]);
    const key = await platformKey(shop.ctx);
    expect((await manage(test, "/v1/ads/users/gus", { method: "DELETE", key })).status).toBe(204);
    const ofOther = { events: [keys[1]], offers: [keys[1], keys[1]], holders: [keys[1], keys[1]] };
    expect(await kept()).toEqual(ofOther);
    // What was served before is seen afterwards: it counts as an impression, and in nobody's caps.
    await reportIds(test, [held]);
    await arrived(test, "impressions", { ids: [seen, held], count: 2 });
    expect(await kept()).toEqual(ofOther);
    for (const expected of [undefined, undefined, "frequency_cap"]) expect(await reasonAt(shop)).toBe(expected);
    expect(await reasonAt(other)).toBe("frequency_cap");
  });
});

// Last, as its network campaign serves on every channel from then on.
describe("a place in a user's caps, with network campaigns", () => {
  it("on a channel is one of each buyer: one buyer's cap keeps no other buyer's campaign away", async () => {
    const { serverKey } = await makeShop(test, { campaign: capPer("channel") });
    const buyer = await makeTenant(test);
    const network = await makeCampaign(buyer, { mode: "live", reach: "network", ...capPer("channel") });
    await makeCreative(buyer, network.id, { title: "Warm winter boots" });
    await served(test, serverKey);
    const titles = async () =>
      (await offersFor(test, serverKey, { user_id: "bob", limit: 8 })).offers.map(({ title }) => title).sort();
    expect(await titles()).toEqual(["Warm boots", "Warm winter boots"]);
    expect(await titles()).toEqual([]);
  });
});
