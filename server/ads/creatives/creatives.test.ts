import { expect, it } from "vitest";
import { adsTest, call, faultsOf, makeCampaign, makeCreative, refusal } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { deleteCampaign } from "../campaigns/delete-campaign";
import { restoreCampaign } from "../campaigns/restore-campaign";
import { createCreative } from "./create-creative";
import { deleteCreative } from "./delete-creative";
import { getCreative } from "./get-creative";
import { listCreatives } from "./list-creatives";
import { restoreCreative } from "./restore-creative";
import { updateCreative } from "./update-creative";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("test");
const campaignId = (await makeCampaign(ctx)).id;

const extras = {
  brand: { name: "Acme", url: "https://acme.example", icon_url: "https://acme.example/i.png" },
  product: { title: "Boot", category: "Shoes>Boots" },
  price: { amount: 49.95, currency: "USD", original_price: 60 },
  rating: { value: 4.5, scale: 5, count: 12 },
};
const valid = { id: "cmp_x", title: "T", content: "C", cta: "Go", landing_url: "https://shop.example/" };

it("is returned as created, with and without its optional objects", async () => {
  const rich = await makeCreative(ctx, campaignId, extras);
  expect(rich).toMatchObject({ campaign_id: campaignId, ...extras });
  expect(await call(ctx, getCreative, { id: campaignId, creative_id: rich.id })).toEqual(rich);
  expect(await makeCreative(ctx, campaignId)).toMatchObject({ brand: null, product: null, price: null, rating: null });
});

it("replaces an object as a whole, clears it with null and keeps other fields", async () => {
  const made = await makeCreative(ctx, campaignId, extras);
  const ids = { id: campaignId, creative_id: made.id };
  const fields = { title: "New", price: { amount: 1, currency: "eur" }, rating: null };
  const changed = await call(ctx, updateCreative, { ...ids, ...fields });
  expect(changed).toEqual({ ...made, title: "New", price: { amount: 1, currency: "EUR" }, rating: null });
});

it.each([
  [{ landing_url: "javascript:alert(1)" }, ["landing_url"]],
  [{ landing_url: "/boots" }, ["landing_url"]],
  [{ landing_url: "https://user:secret@shop.example/" }, ["landing_url"]],
  [{ landing_url: "https://shop.example/a b" }, ["landing_url"]],
  [{ landing_url: `https://shop.example/${"x".repeat(2000)}` }, ["landing_url"]],
  [{ title: "" }, ["title"]],
  [{ content: "a\0b" }, ["content"]],
  [{ cta: "x".repeat(61) }, ["cta"]],
  [{ brand: { icon_url: "http://acme.example/i.png" } }, ["brand.icon_url"]],
  [{ brand: { iconUrl: "https://acme.example/i.png" } }, ["iconUrl"]],
  [{ product: { category: "Shoes" } }, ["product.title"]],
  [{ price: { amount: -1, currency: "USD" } }, ["price.amount"]],
  [{ price: { amount: 1, currency: "XYZ1" } }, ["price.currency"]],
  [{ price: { amount: 10, currency: "USD", original_price: 9 } }, ["price.original_price"]],
  [{ rating: { value: 6, scale: 5 } }, ["rating.value"]],
  [{ rating: { value: 1, scale: 5, count: 1.5 } }, ["rating.count"]],
])("rejects %j and names the field", (fields, faults) => {
  expect(faultsOf(createCreative.input, { ...valid, ...fields })).toEqual(faults);
});

it("is not found once archived", async () => {
  const { id: creative_id } = await makeCreative(ctx, campaignId);
  const ids = { id: campaignId, creative_id };
  await call(ctx, deleteCreative, ids);
  expect((await refusal(call(ctx, getCreative, ids))).code).toBe("not_found");
  expect((await refusal(call(ctx, updateCreative, { ...ids, title: "x" }))).code).toBe("not_found");
  expect((await refusal(call(ctx, deleteCreative, ids))).code).toBe("not_found");
  const { data } = await call(ctx, listCreatives, { id: campaignId });
  expect(data.map(({ id }) => id)).not.toContain(creative_id);
});

it("is found only under its own campaign, and not under one that is archived", async () => {
  const [mine, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
  const { id: creative_id } = await makeCreative(ctx, mine.id);
  expect((await refusal(call(ctx, getCreative, { id: other.id, creative_id }))).code).toBe("not_found");
  await call(ctx, deleteCampaign, { id: mine.id });
  expect((await refusal(call(ctx, getCreative, { id: mine.id, creative_id }))).code).toBe("not_found");
  expect((await refusal(makeCreative(ctx, mine.id))).code).toBe("not_found");
});

it("is restored only after its campaign, and not with another campaign's id", async () => {
  const { id } = await makeCampaign(ctx);
  const { id: creative_id } = await makeCreative(ctx, id);
  await call(ctx, deleteCreative, { id, creative_id });
  await call(ctx, deleteCampaign, { id });
  expect(await refusal(call(ctx, restoreCreative, { id, creative_id }))).toMatchObject({
    code: "conflict",
    param: "id",
    details: { reason: "campaign_archived", campaign_id: id },
    message: "The campaign of this creative is archived; restore the campaign first.",
  });
  await call(ctx, restoreCampaign, { id });
  expect((await call(ctx, listCreatives, { id })).data).toEqual([]);
  expect((await refusal(call(ctx, restoreCreative, { id: campaignId, creative_id }))).code).toBe("not_found");
  expect(await call(ctx, restoreCreative, { id, creative_id })).toMatchObject({ id: creative_id, campaign_id: id });
  expect((await call(ctx, listCreatives, { id })).data.map((one) => one.id)).toEqual([creative_id]);
});
