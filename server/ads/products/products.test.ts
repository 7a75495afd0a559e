import { describe, expect, it } from "vitest";
import {
  adsTest,
  call,
  type FeedContent,
  feedBoot,
  makeCampaign,
  ndjson,
  refusal,
  uploadFeed,
} from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { deleteCampaign } from "../campaigns/delete-campaign";
import { countProducts } from "./count-products";
import { deleteProduct } from "./delete-product";
import { getProduct } from "./get-product";
import { listProducts } from "./list-products";
import { restoreProduct } from "./restore-product";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const feed = (id: string, content: FeedContent, fields: object = {}) => uploadFeed(ctx, content, { id, ...fields });
const list = async (id: string) => (await call(ctx, listProducts, { id, limit: 1000 })).data;

describe("a product", () => {
  it("can be read by its id until it is archived, and again after a feed contains it", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(feedBoot("1")));
    const [product] = await list(id);
    const ids = { id, product_id: product?.id };
    expect(await call(ctx, getProduct, ids)).toEqual(product);
    await call(ctx, deleteProduct, ids);
    expect((await refusal(call(ctx, getProduct, ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, deleteProduct, ids))).code).toBe("not_found");
    expect(await list(id)).toEqual([]);
    await feed(id, ndjson(feedBoot("1")));
    expect(await call(ctx, getProduct, ids)).toMatchObject({ id: product?.id, external_id: "1" });
  });

  it("is restored as it was, unless it is not there, its campaign is archived or the limit is reached", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(feedBoot("1")));
    const [product] = await list(id);
    const ids = { id, product_id: product?.id };
    await call(ctx, deleteProduct, ids);
    for (let i = 0; i < 2; i++) {
      expect(await call(ctx, restoreProduct, ids)).toEqual({ ...product, updated_at: expect.any(String) });
    }
    expect(await list(id)).toHaveLength(1);
    await call(ctx, deleteProduct, ids);
    const stranger = (await ads.tenant()).key("live");
    expect((await refusal(call(stranger, restoreProduct, ids))).code).toBe("not_found");
    const tenantId = ctx.actor.tenantId;
    const limit = { tenantId, resource: "products", limit: 0n, setAt: new Date() };
    await ctx.db.quota.create({ data: limit });
    expect((await refusal(call(ctx, restoreProduct, ids))).code).toBe("quota_exceeded");
    await ctx.db.quota.deleteMany({ where: { tenantId } });
    await call(ctx, deleteCampaign, { id });
    expect((await refusal(call(ctx, restoreProduct, ids))).code).toBe("conflict");
  });

  it("counts until it is archived, and separately when it is out of stock", async () => {
    const { id } = await makeCampaign(ctx);
    const count = () => call(ctx, countProducts, { id });
    expect(await count()).toEqual({ products: 0, out_of_stock: 0 });
    await feed(id, ndjson(feedBoot("1"), feedBoot("2"), { ...feedBoot("3"), availability: "out_of_stock" }));
    expect(await count()).toEqual({ products: 3, out_of_stock: 1 });
    const product = (await list(id)).find(({ external_id }) => external_id === "1");
    await call(ctx, deleteProduct, { id, product_id: product?.id });
    expect(await count()).toEqual({ products: 2, out_of_stock: 1 });
    const other = (await ads.tenant()).key("live");
    expect((await refusal(call(other, countProducts, { id }))).code).toBe("not_found");
  });

  it("is not found under another campaign", async () => {
    const [one, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
    await feed(one.id, ndjson(feedBoot("1")));
    const [product] = await list(one.id);
    const ids = { id: other.id, product_id: product?.id };
    expect((await refusal(call(ctx, getProduct, ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, deleteProduct, ids))).code).toBe("not_found");
  });
});
