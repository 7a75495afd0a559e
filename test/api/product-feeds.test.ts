import { describe, expect, it } from "vitest";
import { updateChannel } from "../../server/ads/channels/update-channel";
import { ManualClock } from "../../server/kernel/clock";
import { call, feedBoot, makeCampaign, ndjson, uploadFeed } from "../factories/ads";
import { eventually, makeShop, served, testApp } from "../factories/app";
import { manage, offersFor, platformKey, type ServedOffer } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const MINUTE_MS = 60_000;
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));

const minutesFromNow = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString();

/** A campaign whose products alone can serve, on a channel of the same tenant. */
async function makeFeedShop() {
  const shop = await makeShop(test, { creative: { title: "Umbrella", content: "Folds" } });
  const key = await platformKey(shop.ctx);
  const { id } = shop.campaign;
  return {
    ...shop,
    async upload(content: string, content_type = "application/x-ndjson", campaignId = id) {
      const result = await uploadFeed(shop.ctx, content, { id: campaignId, content_type });
      await served(test, shop.serverKey);
      return result;
    },
    async products() {
      const response = await manage(test, `/v1/ads/campaigns/${id}/products`, { key });
      const { data } = (await response.json()) as { data: Record<string, unknown>[] };
      return Object.fromEntries(data.map((product) => [product.external_id, product]));
    },
    offers: async (query: string, limit = 8) => (await offersFor(test, shop.serverKey, { query, limit })).offers,
  };
}

const titlesOf = (offers: readonly ServedOffer[]) => offers.map(({ title }) => String(title));

const COLUMNS =
  "id,title,link,price,sale_price,sale_price_effective_date,availability,gtin,item_group_id,product_type,google_product_category".split(
    ",",
  );

/** Lines of a shop's feed: two variants of one shoe, and another shoe. */
const linesOf = (sale: string) => [
  `TR3-42;Trail running shoes, size 42;https://fjell.example/tr3?size=42;109.00 EUR;89.00 EUR;${sale};in stock;4006381333931;TR3;Shoes > Running;Apparel & Accessories > Shoes`,
  `TR3-43;Trail running shoes, size 43;https://fjell.example/tr3?size=43;109.00 EUR;;;In Stock;036000291452;TR3;Shoes > Running;187`,
  `TW1;Trail running shoes for wide feet;https://fjell.example/tw1;120.00 EUR;;;pre order;;;;Apparel & Accessories > Shoes > Walking Boots`,
];

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const xmlOf = (lines: readonly string[]) => {
  const items = lines.map((line) => {
    const values = line.split(";");
    const elements = COLUMNS.map((column, i) => `<g:${column}>${escaped(values[i] ?? "")}</g:${column}>`);
    return `<item>${elements.join("")}</item>`;
  });
  return `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n${items.join("\n")}\n</channel></rss>`;
};
const tsvOf = (lines: readonly string[]) =>
  [COLUMNS.join("\t").replaceAll("_", " "), ...lines.map((line) => line.replaceAll(";", "\t")), ""].join("\r\n");
const csvOf = (lines: readonly string[]) =>
  [COLUMNS, ...lines.map((line) => line.split(";"))]
    .map((row) => row.map((value) => `"${value}"`).join(","))
    .join("\n");
const ndjsonOf = (lines: readonly string[]) =>
  ndjson(...lines.map((line) => Object.fromEntries(line.split(";").map((value, i) => [COLUMNS[i], value]))));

describe.each([
  ["XML", "application/xml", xmlOf],
  ["TSV", "text/tab-separated-values", tsvOf],
  ["CSV", "text/csv", csvOf],
  ["NDJSON", "application/x-ndjson", ndjsonOf],
])("a feed in %s", (_, type, contentOf) => {
  it("keeps groups, trade numbers and both categories, and variants share a place", async () => {
    const shop = await makeFeedShop();
    const [startsAt, endsAt] = [minutesFromNow(10), minutesFromNow(20)];
    const sent = contentOf(linesOf(`${startsAt}/${endsAt}`));
    expect(await shop.upload(sent, type)).toEqual({ accepted: 3, rejected: 0, errors: [] });

    const products = await shop.products();
    expect(products["TR3-42"]).toMatchObject({
      gtin: "04006381333931",
      item_group_id: "TR3",
      availability: "in_stock",
      category: "Shoes>Running",
      google_product_category: "Apparel & Accessories>Shoes",
      price: { amount: 109, currency: "EUR" },
      sale: { amount: 89, currency: "EUR", starts_at: startsAt, ends_at: endsAt },
    });
    expect(products["TR3-43"]).toMatchObject({
      gtin: "00036000291452",
      item_group_id: "TR3",
      availability: "in_stock",
      sale: null,
      category: "Shoes>Running",
      google_product_category: null,
    });
    expect(products.TW1).toMatchObject({
      gtin: null,
      item_group_id: null,
      availability: "preorder",
      category: "Apparel & Accessories>Shoes>Walking Boots",
    });

    const offers = await shop.offers("trail running shoes");
    const sizes = titlesOf(offers).map((title) => title.includes("size"));
    expect([sizes[0] !== sizes[1], sizes[2]]).toEqual([true, true]);
    expect(offers).toHaveLength(3);
  });

  it("reports what it ignores or rejects by line and field", async () => {
    const shop = await makeFeedShop();
    const bad = [
      "1;Boot 1;https://fjell.example/1;10 EUR;;;in stock;SKU-77;;;",
      `2;Boot 2;https://fjell.example/2;10 EUR;;;in stock;;${"g".repeat(5000)};;`,
      "3;Boot 3;https://fjell.example/3;10 EUR;;;in stock;;   ;;1604",
      "4;Boot 4;https://fjell.example/4;10 EUR;5 EUR;2026-11-30T00:00Z/2026-11-20T00:00Z;in stock;;;;",
      "5;Boot 5;https://fjell.example/5;10 EUR;;;sold out soon;;;;",
      "6;Boot 6;https://fjell.example/6;10 EUR;5 EUR;soon;backorder;4006381333932;;;",
    ];
    const first = type === "application/x-ndjson" ? 1 : 2;
    const result = await shop.upload(contentOf(bad), type);
    const lines = (found: readonly { line: number; message: string }[] = []) =>
      found.map(({ line, message }) => `${line - first + 1} ${message.split(":")[0]}`);
    expect(result).toMatchObject({ accepted: 4, rejected: 2, warned: 4 });
    expect(lines(result.errors)).toEqual(["2 item_group_id", "5 availability"]);
    expect(lines(result.warnings)).toEqual([
      "1 gtin",
      "4 sale_price_effective_date",
      "6 gtin",
      "6 sale_price_effective_date",
    ]);
    expect(await shop.products()).toMatchObject({
      1: { gtin: null },
      3: { item_group_id: null, category: null, google_product_category: null },
      4: { price: { amount: 10, currency: "EUR" }, sale: null },
      6: { gtin: null, price: { amount: 5, original_price: 10 }, availability: "backorder" },
    });
  });
});

it("shows the price of a dated sale from its start to its end, without another import", async () => {
  const shop = await makeFeedShop();
  const sale = { sale_price: "45 EUR", sale_price_effective_date: `${minutesFromNow(1)}/${minutesFromNow(3)}` };
  await shop.upload(ndjson(feedBoot("s", { title: "Mountain sled", price: "60 EUR", ...sale })));
  const price = async () => {
    const [offer] = (await shop.offers("mountain sled")) as { price?: unknown }[];
    const { s } = await shop.products();
    expect(s?.sale).toMatchObject({ amount: 45, currency: "EUR" });
    return { offered: offer?.price, listed: s?.price };
  };
  const regular = { amount: 60, currency: "EUR" };
  const onSale = { amount: 45, currency: "EUR" };
  expect(await price()).toEqual({ offered: regular, listed: regular });
  clock.advance(MINUTE_MS);
  expect(await price()).toEqual({
    offered: { ...onSale, originalPrice: 60, discount: 25 },
    listed: { ...onSale, original_price: 60 },
  });
  clock.advance(3 * MINUTE_MS);
  expect(await price()).toEqual({ offered: regular, listed: regular });
});

it("finds a product by the words of both categories, shows the shop's, and blocks by either", async () => {
  const shop = await makeFeedShop();
  const product_type = "Alpine > Ferrata";
  const google_product_category = "Sporting Goods > Carabiners";
  await shop.upload(ndjson(feedBoot("k", { title: "Kestrel 9", product_type, google_product_category })));
  for (const query of ["ferrata", "carabiners"]) {
    expect(await shop.offers(query)).toMatchObject([{ product: { title: "Kestrel 9", category: "Alpine>Ferrata" } }]);
  }
  const block = (blocked_categories: string[]) =>
    call(shop.ctx, updateChannel, { id: shop.channel.id, blocked_categories });
  for (const blocked of ["sporting goods", "alpine > ferrata"]) {
    await block([blocked]);
    await eventually(async () => (await shop.offers("kestrel")).length === 0);
    await block([]);
    await eventually(async () => (await shop.offers("kestrel")).length === 1);
  }
});

it("neither finds nor shows the number of a category", async () => {
  const shop = await makeFeedShop();
  await shop.upload(ndjson(feedBoot("n", { title: "Nimbus lantern", google_product_category: 1604 })));
  expect(await shop.offers("1604")).toEqual([]);
  expect(await shop.offers("nimbus lantern")).toMatchObject([{ product: { title: "Nimbus lantern" } }]);
  expect((await shop.offers("nimbus lantern"))[0]).not.toHaveProperty("product.category");
});

it("offers the same article of two shops once before it repeats it, however they write its number", async () => {
  const shop = await makeFeedShop();
  const other = await makeCampaign(shop.ctx, { mode: "live", name: "Other shop" });
  const kettle = (id: string, fields: object) => feedBoot(id, { title: "Copper kettle", ...fields });
  await shop.upload(ndjson(kettle("k1", { gtin: "4006381333931" })));
  await shop.upload(
    ndjson(kettle("k2", { gtin: "400-6381-333931" }), kettle("k3", { title: "Copper kettle with a long handle" })),
    "application/x-ndjson",
    other.id,
  );
  expect(titlesOf(await shop.offers("copper kettle"))).toEqual([
    "Copper kettle",
    "Copper kettle with a long handle",
    "Copper kettle",
  ]);
});

it("does not confuse the groups of two campaigns", async () => {
  const shop = await makeFeedShop();
  const other = await makeCampaign(shop.ctx, { mode: "live", name: "Other shop" });
  const teapot = (id: string, fields: object = {}) =>
    feedBoot(id, { title: "Iron teapot", item_group_id: "G1", ...fields });
  await shop.upload(
    ndjson(teapot("t1"), teapot("t2"), teapot("t3", { title: "Iron teapot for six people", item_group_id: "G2" })),
  );
  await shop.upload(ndjson(teapot("t1")), "application/x-ndjson", other.id);
  expect(titlesOf(await shop.offers("iron teapot", 3))).toEqual([
    "Iron teapot",
    "Iron teapot",
    "Iron teapot for six people",
  ]);
});
