import { describe, expect, it } from "vitest";
import { adsTest, call, faultsOf, makeAdvertiser, makeCampaign, refusal } from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { openForFile } from "../../../test/factories/open-for-file";
import { createCampaign } from "../campaigns/create-campaign";
import { deleteCampaign } from "../campaigns/delete-campaign";
import { getPixel } from "../conversions/get-pixel";
import { createAdvertiser } from "./create-advertiser";
import { deleteAdvertiser } from "./delete-advertiser";
import { getAdvertiser } from "./get-advertiser";
import { listAdvertisers } from "./list-advertisers";
import { requestReview } from "./request-review";
import { updateAdvertiser } from "./update-advertiser";
import { verifyDomain } from "./verify-domain";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("test");

const remove = (id: string) => call(ctx, deleteAdvertiser, { id });

it("returns the advertiser as created, with its domain in lower case", async () => {
  const made = await makeAdvertiser(ctx, { domain: "Shop.Example", icon_url: "https://cdn.example/i.png" });
  expect(made).toMatchObject({ name: "Acme", domain: "shop.example", icon_url: "https://cdn.example/i.png" });
  expect(await call(ctx, getAdvertiser, { id: made.id })).toEqual(made);
});

it("clears fields that an update sets to null and keeps the others", async () => {
  const made = await makeAdvertiser(ctx, { domain: "shop.example", icon_url: "https://cdn.example/i.png" });
  const changed = await call(ctx, updateAdvertiser, { id: made.id, icon_url: null });
  expect(changed).toEqual({ ...made, icon_url: null });
});

it.each([
  [{ name: "A", icon_url: "http://cdn.example/i.png" }, ["icon_url"]],
  [{ name: "A", icon_url: "data:image/png;base64,AA" }, ["icon_url"]],
  [{ name: "A", domain: "https://shop.example" }, ["domain"]],
  [{ name: "A", domain: "localhost" }, ["domain"]],
  [{ name: null }, ["name"]],
])("rejects %j and names the field", (input, faults) => {
  expect(faultsOf(createAdvertiser.input, input)).toEqual(faults);
});

it("cannot be archived while it has a campaign, and is not found afterwards", async () => {
  const advertiser = await makeAdvertiser(ctx);
  const campaign = await makeCampaign(ctx, { advertiser_id: advertiser.id });
  expect(await refusal(remove(advertiser.id))).toMatchObject({
    code: "conflict",
    details: { reason: "has_campaigns", campaigns: 1 },
  });
  expect((await call(ctx, getAdvertiser, { id: advertiser.id })).id).toBe(advertiser.id);
  await call(ctx, deleteCampaign, { id: campaign.id });
  await remove(advertiser.id);
  expect((await refusal(remove(advertiser.id))).code).toBe("not_found");
  expect((await refusal(call(ctx, getAdvertiser, { id: advertiser.id }))).code).toBe("not_found");
  const { data } = await call(ctx, listAdvertisers, {});
  expect(data.map(({ id }) => id)).not.toContain(advertiser.id);
});

it("is never archived with a campaign, whichever request comes first", async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await makeAdvertiser(ctx);
    await Promise.allSettled([makeCampaign(ctx, { advertiser_id: id }), remove(id)]);
    const { archivedAt } = await ads.db.advertiser.findUniqueOrThrow({ where: { id } });
    const campaigns = await ads.db.campaign.count({ where: { advertiserId: id } });
    expect(archivedAt === null).toBe(campaigns === 1);
  }
});

describe("a key of the other mode", () => {
  const inTest = async () => {
    const tenant = await ads.tenant();
    const advertiser = await makeAdvertiser(tenant.key("live"), { domain: "shop.example" });
    return { key: tenant.key("test"), id: advertiser.id, live: tenant.key("live"), advertiser };
  };
  const CAMPAIGN = { name: "C", model: "cpc", bid_micros: 1 };

  it.each<[string, (ctx: AdsCtx, id: string) => Promise<unknown>]>([
    ["gets", (as, id) => call(as, getAdvertiser, { id })],
    ["changes the name of", (as, id) => call(as, updateAdvertiser, { id, name: "Other" })],
    ["changes the icon of", (as, id) => call(as, updateAdvertiser, { id, icon_url: null })],
    ["archives", (as, id) => call(as, deleteAdvertiser, { id })],
    ["verifies the domain of", (as, id) => call(as, verifyDomain, { id })],
    ["requests a review of", (as, id) => call(as, requestReview, { id })],
    ["gets the pixel of", (as, id) => call(as, getPixel, { id })],
    ["creates a campaign of", (as, id) => call(as, createCampaign, { advertiser_id: id, ...CAMPAIGN })],
  ])("never %s an advertiser", async (_, act) => {
    const { key, id, live, advertiser } = await inTest();
    expect((await refusal(act(key, id))).code).toBe("not_found");
    expect(await call(live, getAdvertiser, { id })).toEqual(advertiser);
    expect((await call(key, listAdvertisers, {})).data).toEqual([]);
    expect((await call(live, listAdvertisers, {})).data).toHaveLength(1);
  });

  it("creates records in its own mode, while a person chooses the mode", async () => {
    const tenant = await ads.tenant();
    expect((await makeAdvertiser(tenant.key("test"))).mode).toBe("test");
    expect((await makeAdvertiser(tenant.person, { mode: "live" })).mode).toBe("live");
    const { id } = await makeAdvertiser(tenant.person);
    const live = { mode: "live", advertiser_id: id, ...CAMPAIGN };
    expect(await refusal(call(tenant.person, createCampaign, live))).toMatchObject({
      code: "not_found",
      param: "advertiser_id",
    });
  });
});
