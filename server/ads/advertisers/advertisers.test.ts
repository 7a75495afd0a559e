import { afterAll, beforeAll, expect, it } from "vitest";
import { adsTest, call, faultsOf, makeAdvertiser, makeCampaign, refusal } from "../../../test/factories/ads";
import type { AdsCtx } from "../ads-ctx";
import { DeleteCampaign, deleteCampaign } from "../campaigns/delete-campaign";
import { CreateAdvertiser } from "./create-advertiser";
import { DeleteAdvertiser, deleteAdvertiser } from "./delete-advertiser";
import { GetAdvertiser, getAdvertiser } from "./get-advertiser";
import { ListAdvertisers, listAdvertisers } from "./list-advertisers";
import { UpdateAdvertiser, updateAdvertiser } from "./update-advertiser";

let ads: Awaited<ReturnType<typeof adsTest>>;
let ctx: AdsCtx;
beforeAll(async () => {
  ads = await adsTest();
  ctx = (await ads.tenant()).key("test");
});
afterAll(() => ads.close());

const remove = (id: string) => call(ctx, [DeleteAdvertiser, deleteAdvertiser], { id });

it("comes back as it was made, its domain in lower case", async () => {
  const made = await makeAdvertiser(ctx, { domain: "Shop.Example", icon_url: "https://cdn.example/i.png" });
  expect(made).toMatchObject({ name: "Acme", domain: "shop.example", icon_url: "https://cdn.example/i.png" });
  expect(await call(ctx, [GetAdvertiser, getAdvertiser], { id: made.id })).toEqual(made);
});

it("clears what an update sets to null and leaves the rest", async () => {
  const made = await makeAdvertiser(ctx, { domain: "shop.example", icon_url: "https://cdn.example/i.png" });
  const changed = await call(ctx, [UpdateAdvertiser, updateAdvertiser], { id: made.id, icon_url: null });
  expect(changed).toEqual({ ...made, icon_url: null });
});

it.each([
  [{ name: "A", icon_url: "http://cdn.example/i.png" }, ["icon_url"]],
  [{ name: "A", icon_url: "data:image/png;base64,AA" }, ["icon_url"]],
  [{ name: "A", domain: "https://shop.example" }, ["domain"]],
  [{ name: "A", domain: "localhost" }, ["domain"]],
  [{ name: null }, ["name"]],
])("refuses %j and names the field", (input, faults) => {
  expect(faultsOf(CreateAdvertiser, input)).toEqual(faults);
});

it("is not archived while a campaign of either mode is left, and is gone after", async () => {
  const advertiser = await makeAdvertiser(ctx);
  const live = { ...ctx, actor: { ...ctx.actor, kind: "key", keyId: "k", projectId: "p", mode: "live" } as const };
  const campaign = await makeCampaign(live, { advertiser_id: advertiser.id });
  expect(await refusal(remove(advertiser.id))).toMatchObject({
    code: "conflict",
    details: { reason: "has_campaigns", campaigns: 1 },
  });
  expect((await call(ctx, [GetAdvertiser, getAdvertiser], { id: advertiser.id })).id).toBe(advertiser.id);
  await call(live, [DeleteCampaign, deleteCampaign], { id: campaign.id });
  await remove(advertiser.id);
  expect((await refusal(remove(advertiser.id))).code).toBe("not_found");
  expect((await refusal(call(ctx, [GetAdvertiser, getAdvertiser], { id: advertiser.id }))).code).toBe("not_found");
  const { data } = await call(ctx, [ListAdvertisers, listAdvertisers], {});
  expect(data.map(({ id }) => id)).not.toContain(advertiser.id);
});

it("never ends up archived with a campaign, whoever comes first", async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await makeAdvertiser(ctx);
    await Promise.allSettled([makeCampaign(ctx, { advertiser_id: id }), remove(id)]);
    const { archivedAt } = await ads.db.advertiser.findUniqueOrThrow({ where: { id } });
    const campaigns = await ads.db.campaign.count({ where: { advertiserId: id } });
    expect(archivedAt === null).toBe(campaigns === 1);
  }
});
