import { beforeEach, describe, expect, it } from "vitest";
import {
  adsTest,
  feedBoot,
  makeCampaign,
  makeCreative,
  ndjson,
  refusal,
  uploadFeed,
} from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { openForFile } from "../../../test/factories/open-for-file";
import { throughPipeline } from "../../../test/factories/through-pipeline";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { deleteCampaign } from "../campaigns/delete-campaign";
import { createCreative } from "../creatives/create-creative";
import { deleteCreative } from "../creatives/delete-creative";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { deleteProduct } from "./delete-product";
import { listProducts } from "./list-products";

const ITEMS_MAX = 60_000;
let ctx: AdsCtx;
let campaign: string;
const ads = await openForFile(adsTest({ itemsMax: ITEMS_MAX }));
beforeEach(async () => {
  ctx = (await ads.tenant()).key("live");
  campaign = (await makeCampaign(ctx)).id;
});

const setLimit = async (resource: "products" | "creatives", limit: number) => {
  const key = { tenantId: ctx.actor.tenantId, resource };
  const value = { limit: BigInt(limit), setAt: ads.clock.now() };
  await ads.db.quota.upsert({ where: { tenantId_resource: key }, create: { ...key, ...value }, update: value });
};
const boots = (from: number, count: number) =>
  ndjson(...Array.from({ length: count }, (_, i) => feedBoot(`${from + i}`)));
const feed = (content: string, fields: object = {}) => uploadFeed(ctx, content, { id: campaign, ...fields });
/** A body that ends with an error. */
const broken = (content: string) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(content)),
    pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
  });
const used = (resource: "products" | "creatives") =>
  ITEM_QUOTAS[resource].used(ads.db, { tenantId: ctx.actor.tenantId, now: ads.clock.now() });

describe("the quota of products", () => {
  it("rejects a feed that would exceed it, reports the numbers, and keeps the batches before", async () => {
    await setLimit("products", 2500);
    const error = await refusal(feed(boots(0, 3000)));
    expect(error).toMatchObject({
      code: "quota_exceeded",
      details: { reason: "product_quota", resource: "products", limit: 2500, used: 2000, accepted: 2000, rejected: 0 },
    });
    expect(error.message).toContain("The limit of 2500 products is reached: your account has 2000");
    expect(error.message).toContain("Products stored before the error: 2000.");
    expect(await used("products")).toBe(2000);
  });

  it("counts all campaigns of the tenant, and allows updates at the limit", async () => {
    await setLimit("products", 5);
    await feed(boots(0, 3));
    const first = campaign;
    campaign = (await makeCampaign(ctx)).id;
    await feed(boots(0, 2));
    expect(await refusal(feed(boots(2, 1)))).toMatchObject({ code: "quota_exceeded" });
    expect(await feed(ndjson(feedBoot("0", { title: "Another boot" })))).toMatchObject({ accepted: 1 });
    await deleteCampaign.run(ctx, { id: first });
    expect(await used("products")).toBe(2);
    expect(await feed(boots(2, 3))).toMatchObject({ accepted: 3 });
  });

  it("allows replacements at the limit, but not an endless series of broken ones", async () => {
    await setLimit("products", 4);
    await feed(boots(0, 4));
    expect(await feed(boots(10, 4), { mode: "replace" })).toMatchObject({ accepted: 4 });
    expect(await used("products")).toBe(4);
    for (const from of [20, 30])
      await refusal(uploadFeed(ctx, broken(boots(from, 4)), { id: campaign, mode: "replace" }));
    expect(await used("products")).toBe(8);
    expect(await refusal(feed(boots(40, 5), { mode: "replace" }))).toMatchObject({ code: "quota_exceeded" });
  });

  it("is exact when feeds into several campaigns run at once", async () => {
    await setLimit("products", 2500);
    const campaigns = [campaign, (await makeCampaign(ctx)).id, (await makeCampaign(ctx)).id];
    const ends = await Promise.allSettled(campaigns.map((id) => uploadFeed(ctx, boots(0, 1900), { id })));
    expect(ends.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    expect(await used("products")).toBeLessThanOrEqual(2500);
    expect(await used("products")).toBeGreaterThan(1500);
  });

  it("counts products that were deleted and restored", async () => {
    await feed(boots(0, 3));
    const { data } = await listProducts.run(ctx, listProducts.input.parse({ id: campaign }));
    await deleteProduct.run(ctx, { id: campaign, product_id: data[0]?.id ?? "" });
    expect(await used("products")).toBe(2);
    await feed(boots(0, 3));
    expect(await used("products")).toBe(3);
  });
});

describe("the quota of creatives", () => {
  it("allows exactly as many concurrent creates as fit, and again after a deletion", async () => {
    await setLimit("creatives", 3);
    const counted = { ...ctx, counters: new MemoryCounters(ctx.clock), quotas: Object.values(ITEM_QUOTAS) };
    const fields = { title: "T", content: "C", cta: "Go", landing_url: "https://shop.example/" };
    const create = () => throughPipeline(counted, createCreative, { id: campaign, ...fields });
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const error = await refusal(create());
    expect(error).toMatchObject({ code: "quota_exceeded", details: { resource: "creatives", limit: 3 } });
    const kept = made.find((end) => end.status === "fulfilled");
    await deleteCreative.run(ctx, { id: campaign, creative_id: kept?.value.id ?? "" });
    await create();
    expect(await used("creatives")).toBe(3);
  });
});

describe("the installation", () => {
  it("accepts no more products and creatives than its limit", async () => {
    const full = { ...ctx, itemsMax: 0 };
    const expected = { code: "quota_exceeded", details: { reason: "installation_full", limit: 0 } };
    expect(await refusal(uploadFeed(full, boots(0, 1), { id: campaign }))).toMatchObject(expected);
    expect(await refusal(makeCreative(full, campaign))).toMatchObject(expected);
    expect([await used("products"), await used("creatives")]).toEqual([0, 0]);
  });
});
