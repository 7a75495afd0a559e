import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
import type { AdsCtx } from "../ads-ctx";
import { CountProducts, countProducts } from "./count-products";
import { DeleteProduct, deleteProduct } from "./delete-product";
import { GetProduct, getProduct } from "./get-product";
import { ListProducts, listProducts } from "./list-products";

let ads: Awaited<ReturnType<typeof adsTest>>;
let ctx: AdsCtx;
beforeAll(async () => {
  ads = await adsTest();
  ctx = (await ads.tenant()).key("live");
});
afterAll(() => ads.close());

const feed = (id: string, content: FeedContent, fields: object = {}) => uploadFeed(ctx, content, { id, ...fields });
const list = async (id: string) => (await call(ctx, [ListProducts, listProducts], { id, limit: 1000 })).data;

describe("a product", () => {
  it("is read by its id, and gone once archived until a feed names it again", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(feedBoot("1")));
    const [product] = await list(id);
    const ids = { id, product_id: product?.id };
    expect(await call(ctx, [GetProduct, getProduct], ids)).toEqual(product);
    await call(ctx, [DeleteProduct, deleteProduct], ids);
    expect((await refusal(call(ctx, [GetProduct, getProduct], ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, [DeleteProduct, deleteProduct], ids))).code).toBe("not_found");
    expect(await list(id)).toEqual([]);
    await feed(id, ndjson(feedBoot("1")));
    expect(await call(ctx, [GetProduct, getProduct], ids)).toMatchObject({ id: product?.id, external_id: "1" });
  });

  it("counts until it is archived, and apart when nobody can buy it", async () => {
    const { id } = await makeCampaign(ctx);
    const count = () => call(ctx, [CountProducts, countProducts], { id });
    expect(await count()).toEqual({ products: 0, out_of_stock: 0 });
    await feed(id, ndjson(feedBoot("1"), feedBoot("2"), { ...feedBoot("3"), availability: "out_of_stock" }));
    expect(await count()).toEqual({ products: 3, out_of_stock: 1 });
    const product = (await list(id)).find(({ external_id }) => external_id === "1");
    await call(ctx, [DeleteProduct, deleteProduct], { id, product_id: product?.id });
    expect(await count()).toEqual({ products: 2, out_of_stock: 1 });
    const other = (await ads.tenant()).key("live");
    expect((await refusal(call(other, [CountProducts, countProducts], { id }))).code).toBe("not_found");
  });

  it("is not found under another campaign", async () => {
    const [one, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
    await feed(one.id, ndjson(feedBoot("1")));
    const [product] = await list(one.id);
    const ids = { id: other.id, product_id: product?.id };
    expect((await refusal(call(ctx, [GetProduct, getProduct], ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, [DeleteProduct, deleteProduct], ids))).code).toBe("not_found");
  });
});
