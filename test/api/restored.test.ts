import { describe, expect, it } from "vitest";
import { eventually, makeShop, ORIGIN, testApp } from "../factories/app";
import { manage, offersFor, platformKey, refusalOf, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const shop = await makeShop(test);
const key = await platformKey(shop.ctx);

const served = async (channelKey = shop.serverKey) =>
  (await offersFor(test, channelKey)).offers.map(({ title }) => title);
const archive = async (path: string) =>
  expect((await manage(test, `/v1/ads${path}`, { key, method: "DELETE" })).status).toBe(204);
async function restore(path: string): Promise<unknown> {
  const answer = await manage(test, `/v1/ads${path}/restore`, { key, method: "POST" });
  expect(answer.status).toBe(200);
  return answer.json();
}

describe("offers", () => {
  it.each([
    ["a campaign", () => `/campaigns/${shop.campaign.id}`],
    ["a creative", () => `/campaigns/${shop.campaign.id}/creatives/${shop.creative.id}`],
  ])("of %s stop when it is archived and come back when it is restored", async (_, path) => {
    const before = await served();
    expect(before).toEqual([shop.creative.title]);
    await archive(path());
    await eventually(async () => (await served()).length === 0);
    expect(await restore(path())).toMatchObject({ id: path().split("/").at(-1) });
    await eventually(async () => (await served()).length > 0);
    expect(await served()).toEqual(before);
  });

  it("come back on a restored channel with a new key alone; the revoked ones stay rejected", async () => {
    const path = `/channels/${shop.channel.id}`;
    const statusOf = async (channelKey: string) =>
      (
        await send(test, "/api/v1/offers", {
          key: channelKey,
          body: { query: "warm boots" },
          headers: { origin: ORIGIN },
        })
      ).status;
    expect([await statusOf(shop.serverKey), await statusOf(shop.browserKey)]).toEqual([200, 200]);
    await archive(path);
    await eventually(async () => (await statusOf(shop.serverKey)) === 401);
    expect(await restore(path)).toMatchObject({ id: shop.channel.id, origins: shop.channel.origins });
    const made = await manage(test, `/v1/ads${path}/keys`, { key, body: { kind: "server" } });
    const { key: added } = (await made.json()) as { key: string };
    await eventually(async () => (await statusOf(added)) === 200);
    expect(await served(added)).toEqual([shop.creative.title]);
    expect([await statusOf(shop.serverKey), await statusOf(shop.browserKey)]).toEqual([401, 401]);
  });
});

it("a restore takes no body but an empty one", async () => {
  const path = `/v1/ads/campaigns/${shop.campaign.id}/restore`;
  const refused = await refusalOf(await manage(test, path, { key, body: { status: "paused" } }));
  expect([refused.status, refused.error.param]).toEqual([400, "status"]);
});
