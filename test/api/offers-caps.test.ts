import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { makeCampaign, makeCreative } from "../factories/ads";
import { makeShop, makeTenant, served, type TestApp, testApp } from "../factories/app";
import { offersFor, send } from "../factories/calls";

const clock = new ManualClock(new Date());
let test: TestApp;
beforeAll(async () => {
  test = await testApp({ clock });
});
afterAll(() => test.stop());

const capPer = (per: string) => ({ caps: [{ count: 1, window_seconds: 86_400, per }] });

describe("a place in a user's caps", () => {
  it("is given back when the offer cannot be recorded", async () => {
    const { serverKey } = await makeShop(test, { campaign: capPer("campaign") });
    const asked = { query: "warm boots", user_id: "ada" };
    const { own } = test.engines.wal;
    const { append } = own;
    own.append = () => Promise.reject(new ServiceError("unavailable", "The disk is full."));
    const { status } = await send(test, "/api/v1/offers", { key: serverKey, body: asked });
    own.append = append;
    expect(status).toBe(503);
    expect((await offersFor(test, serverKey, asked)).offers).toHaveLength(1);
    expect((await offersFor(test, serverKey, asked)).reason).toBe("frequency_cap");
  });

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
