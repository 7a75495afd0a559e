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

  it("is not found under another campaign", async () => {
    const [one, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
    await feed(one.id, ndjson(feedBoot("1")));
    const [product] = await list(one.id);
    const ids = { id: other.id, product_id: product?.id };
    expect((await refusal(call(ctx, [GetProduct, getProduct], ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, [DeleteProduct, deleteProduct], ids))).code).toBe("not_found");
  });
});
