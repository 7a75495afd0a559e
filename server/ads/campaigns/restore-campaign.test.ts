import { describe, expect, it } from "vitest";
import {
  adsTest,
  call,
  feedBoot,
  makeAdvertiser,
  makeCampaign,
  makeCreative,
  ndjson,
  refusal,
  uploadFeed,
} from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { openForFile } from "../../../test/factories/open-for-file";
import { deleteAdvertiser } from "../advertisers/delete-advertiser";
import { restoreAdvertiser } from "../advertisers/restore-advertiser";
import { deleteCreative } from "../creatives/delete-creative";
import { listCreatives } from "../creatives/list-creatives";
import { restoreCreative } from "../creatives/restore-creative";
import { listProducts } from "../products/list-products";
import { deleteCampaign } from "./delete-campaign";
import { getCampaign } from "./get-campaign";
import { listCampaigns } from "./list-campaigns";
import { restoreCampaign } from "./restore-campaign";

const ads = await openForFile(adsTest());

const newTenant = async () => (await ads.tenant()).key("live");
const archive = (ctx: AdsCtx, id: string) => call(ctx, deleteCampaign, { id });
const restore = (ctx: AdsCtx, id: string) => call(ctx, restoreCampaign, { id });

async function setLimit(ctx: AdsCtx, resource: string, limit: number): Promise<void> {
  const key = { tenantId: ctx.actor.tenantId, resource };
  const value = { limit: BigInt(limit), setAt: ads.clock.now() };
  await ads.db.quota.upsert({ where: { tenantId_resource: key }, create: { ...key, ...value }, update: value });
}

/** An archived campaign with two creatives and three products. */
async function archivedWithItems(ctx: AdsCtx): Promise<string> {
  const { id } = await makeCampaign(ctx);
  for (const title of ["Boots", "Shoes"]) await makeCreative(ctx, id, { title });
  await uploadFeed(ctx, ndjson(feedBoot("1"), feedBoot("2"), feedBoot("3")), { id });
  await archive(ctx, id);
  return id;
}

describe("a restored campaign", () => {
  it.each(["draft", "active", "paused", "ended"])("that was %s has that status", async (status) => {
    const ctx = await newTenant();
    const { id } = await makeCampaign(ctx, { status });
    await archive(ctx, id);
    expect((await restore(ctx, id)).status).toBe(status);
    expect((await call(ctx, listCampaigns, { status })).data.map((one) => one.id)).toEqual([id]);
  });

  it("has its creatives and products, but not those that were archived before it", async () => {
    const ctx = await newTenant();
    const { id } = await makeCampaign(ctx);
    const [kept, removed] = [await makeCreative(ctx, id), await makeCreative(ctx, id)];
    await uploadFeed(ctx, ndjson(feedBoot("1"), feedBoot("2")), { id });
    await call(ctx, deleteCreative, { id, creative_id: removed.id });
    await archive(ctx, id);
    expect((await restore(ctx, id)).items).toBe(3);
    expect((await call(ctx, listCreatives, { id })).data).toEqual([kept]);
    expect((await call(ctx, listProducts, { id })).data).toHaveLength(2);
  });
});

describe("the advertiser of an archived campaign", () => {
  it("must be restored before the campaign", async () => {
    const ctx = await newTenant();
    const advertiser = await makeAdvertiser(ctx);
    const { id } = await makeCampaign(ctx, { advertiser_id: advertiser.id });
    await archive(ctx, id);
    await call(ctx, deleteAdvertiser, { id: advertiser.id });
    expect(await refusal(restore(ctx, id))).toMatchObject({
      code: "conflict",
      param: "id",
      message: "The advertiser of this campaign is archived; restore the advertiser first.",
      details: { reason: "advertiser_archived", advertiser_id: advertiser.id },
    });
    expect((await refusal(call(ctx, getCampaign, { id }))).code).toBe("not_found");
    await call(ctx, restoreAdvertiser, { id: advertiser.id });
    expect(await restore(ctx, id)).toMatchObject({ id, status: "active" });
  });

  it("is never archived while the campaign is not, whichever request comes first", async () => {
    const ctx = await newTenant();
    for (let round = 0; round < 10; round++) {
      const advertiser = await makeAdvertiser(ctx);
      const { id } = await makeCampaign(ctx, { advertiser_id: advertiser.id });
      await archive(ctx, id);
      await Promise.allSettled([restore(ctx, id), call(ctx, deleteAdvertiser, { id: advertiser.id })]);
      const { archivedAt, advertiser: of } = await ads.db.campaign.findUniqueOrThrow({
        where: { id },
        include: { advertiser: true },
      });
      expect(archivedAt === null).toBe(of.archivedAt === null);
    }
  });
});

describe("the items of an archived campaign", () => {
  it.each([
    ["creatives", 2, "2 more creatives exceed the limit of 1; "],
    ["products", 3, "3 more products exceed the limit of 2; "],
  ])("must fit into the quota of %s", async (resource, needed, sentence) => {
    const ctx = await newTenant();
    const id = await archivedWithItems(ctx);
    await setLimit(ctx, resource, needed - 1);
    const refused = await refusal(restore(ctx, id));
    expect(refused).toMatchObject({ code: "quota_exceeded", details: { resource, limit: needed - 1 } });
    expect(refused.message).toContain(sentence);
    expect((await refusal(call(ctx, getCampaign, { id }))).code).toBe("not_found");
    await setLimit(ctx, resource, needed);
    expect((await restore(ctx, id)).items).toBe(5);
  });

  it("must fit into the limit of the installation, as must an archived creative", async () => {
    const small = await adsTest({ itemsMax: 6 });
    try {
      const [ctx, other] = [(await small.tenant()).key("live"), (await small.tenant()).key("live")];
      const id = await archivedWithItems(ctx);
      const { id: otherId } = await makeCampaign(other);
      const [{ id: creative_id }] = [await makeCreative(other, otherId), await makeCreative(other, otherId)];
      const full = { code: "quota_exceeded", details: { reason: "installation_full", limit: 6 } };
      expect(await refusal(restore(ctx, id))).toMatchObject(full);
      await call(other, deleteCreative, { id: otherId, creative_id });
      expect((await restore(ctx, id)).items).toBe(5);
      expect(await refusal(call(other, restoreCreative, { id: otherId, creative_id }))).toMatchObject(full);
    } finally {
      await small.close();
    }
  });
});
