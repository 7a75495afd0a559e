import { gzipSync } from "node:zlib";
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
import { FeedBatches } from "./feed-batches";
import { importProducts } from "./import-products";
import { listProducts } from "./list-products";
import { upsertProducts } from "./products.sql";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const feed = (id: string, content: FeedContent, fields: object = {}) => uploadFeed(ctx, content, { id, ...fields });
const list = async (id: string) => (await call(ctx, listProducts, { id, limit: 1000 })).data;
const titles = async (id: string) =>
  Object.fromEntries((await list(id)).map(({ external_id, title }) => [external_id, title]));

describe("formats", () => {
  const rich = {
    external_id: "sku-1",
    title: "Winter boot",
    description: "Stays dry",
    link: "https://shop.example/1",
    image_link: "https://cdn.example/1.jpg",
    brand: "Acme",
    gtin: "00123456789012",
    category: "Shoes>Boots",
    availability: "preorder",
    price: { amount: 49.95, currency: "USD", original_price: 60 },
    details: [{ name: "colour", value: "red" }],
  };
  const columns =
    "id,title,description,link,image_link,brand,gtin,product_type,availability,price,sale_price,product_detail";
  const values =
    "sku-1,Winter boot,Stays dry,https://shop.example/1,https://cdn.example/1.jpg,Acme,0123456789012,Shoes > Boots,preorder,60 USD,49.95 USD,Look:colour:red";
  const elements = columns
    .split(",")
    .map((column, i) => `<g:${column}>${values.split(",")[i]?.replace(">", "&gt;")}</g:${column}>`)
    .join("\n");
  const json = Object.fromEntries(columns.split(",").map((column, i) => [column, values.split(",")[i]]));
  const xml = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item>${elements}</item></channel></rss>`;
  const contents: [type: string, content: string][] = [
    ["application/x-ndjson", ndjson(json)],
    ["text/csv; charset=utf-8", `${columns}\n${values}\n`],
    ["text/tab-separated-values", `${columns}\n${values}\n`.replaceAll(",", "\t")],
    ["application/xml", xml],
    ["application/rss+xml", xml],
  ];

  it.each(contents)(
    "%s becomes the same product, plain, as gzip and as an unnamed file",
    async (content_type, content) => {
      const packed = gzipSync(content);
      for (const [body, fields] of [
        [content, { content_type }],
        [packed, { content_type, content_encoding: "gzip" }],
        [packed, { content_type: "application/gzip" }],
        [content, {}],
      ] as [FeedContent, object][]) {
        const { id } = await makeCampaign(ctx);
        const typed = "content_type" in fields ? fields : { content_type: undefined };
        expect(await feed(id, body, typed)).toEqual({ accepted: 1, rejected: 0, errors: [] });
        expect(await list(id)).toMatchObject([{ campaign_id: id, ...rich }]);
      }
    },
  );

  it("rejects an unsupported Content-Type and an unsupported Content-Encoding", async () => {
    const { id } = await makeCampaign(ctx);
    const json = await refusal(feed(id, "[]", { content_type: "application/json" }));
    expect(json).toMatchObject({ code: "unsupported_media_type", param: "content_type" });
    const brotli = await refusal(feed(id, "", { content_encoding: "br" }));
    expect(brotli).toMatchObject({ code: "unsupported_media_type", param: "content_encoding" });
  });

  it("rejects a request without a body", async () => {
    const { id } = await makeCampaign(ctx);
    expect(await refusal(importProducts.run(ctx, importProducts.input.parse({ id })))).toMatchObject({ param: "body" });
  });
});

describe("lines", () => {
  it("are accepted or rejected one by one, each error with its line, code and field", async () => {
    const { id } = await makeCampaign(ctx);
    const content = `${ndjson(feedBoot("1"), { id: "2" })}nonsense\n\n${ndjson(feedBoot("3", { price: "free" }), feedBoot("4"))}`;
    expect(await feed(id, content)).toEqual({
      accepted: 2,
      rejected: 3,
      errors: [
        { line: 2, id: "2", code: "missing_field", message: "title: expected a value" },
        { line: 3, code: "invalid_json", message: expect.any(String) },
        { line: 5, id: "3", code: "invalid_field", message: expect.stringMatching(/^price: /) },
      ],
    });
    expect(Object.keys(await titles(id)).sort()).toEqual(["1", "4"]);
  });

  it("report the first 1,000 errors and that there were more", async () => {
    const { id } = await makeCampaign(ctx);
    expect(await feed(id, "x\n".repeat(1000))).not.toHaveProperty("errors_truncated");
    const result = await feed(id, "x\n".repeat(1001));
    expect(result).toMatchObject({ accepted: 0, rejected: 1001, errors_truncated: true });
    expect(result.errors).toHaveLength(1000);
    expect(result.errors.at(-1)?.line).toBe(1000);
  });

  it("with a repeated id keep the last one, within a batch and across batches", async () => {
    const { id } = await makeCampaign(ctx);
    const many = Array.from({ length: 1500 }, (_, i) => feedBoot(`${i}`));
    const content = ndjson(
      feedBoot("a", { title: "First" }),
      feedBoot("a", { title: "Second" }),
      ...many,
      feedBoot("0", { title: "Last" }),
    );
    expect(await feed(id, content)).toMatchObject({ accepted: 1503, rejected: 0 });
    const rows = await ads.db.product.findMany({ where: { campaignId: id, externalId: { in: ["a", "0"] } } });
    expect(rows.map(({ title }) => title).sort()).toEqual(["Last", "Second"]);
  });
});

describe("a second feed", () => {
  it("updates by id, keeps products that it does not contain, and does not write unchanged ones", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(
      id,
      ndjson(
        feedBoot("1"),
        feedBoot("2", { price: "5 USD", product_detail: { name: "a", value: "b" } }),
        feedBoot("3"),
      ),
    );
    const rows = () =>
      ads.sql.query(
        "SELECT external_id, id, xmin::text, change_xid::text, updated_at FROM products WHERE campaign_id = $1 ORDER BY 1",
        [id],
      );
    const before = (await rows()).rows;
    ads.clock.advance(1000);
    await feed(
      id,
      ndjson(
        feedBoot("1", { title: "New" }),
        feedBoot("2", { price: "5.00 USD", product_detail: { name: "a", value: "b" } }),
      ),
    );
    const after = (await rows()).rows;
    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id));
    expect(after[0].change_xid).not.toBe(before[0].change_xid);
    expect(after[0].updated_at).toEqual(ads.clock.now());
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await titles(id)).toEqual({ 1: "New", 2: "Boot 2", 3: "Boot 3" });
  });

  it("archives products missing from a replacing feed, and restores them when a feed contains them again", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(feedBoot("1"), feedBoot("2"), feedBoot("3")));
    const [kept] = (await list(id)).filter(({ external_id }) => external_id === "2");
    ads.clock.advance(1000);
    await feed(id, ndjson(feedBoot("2"), feedBoot("4")), { mode: "replace" });
    expect(Object.keys(await titles(id)).sort()).toEqual(["2", "4"]);
    await feed(id, ndjson(feedBoot("1")));
    expect(Object.keys(await titles(id)).sort()).toEqual(["1", "2", "4"]);
    expect((await list(id)).find(({ external_id }) => external_id === "2")).toEqual(kept);
  });

  it("does not archive a product whose line it rejects", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(feedBoot("1"), feedBoot("2")));
    ads.clock.advance(1000);
    expect(await feed(id, ndjson(feedBoot("1", { price: "?" })), { mode: "replace" })).toMatchObject({ rejected: 1 });
    expect(await titles(id)).toEqual({ 1: "Boot 1" });
  });

  it("archives nothing if it is incomplete or empty", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(feedBoot("1"), feedBoot("2")));
    ads.clock.advance(1000);
    const broken =
      "<rss><channel><item><g:id>3</g:id><title>T</title><link>https://shop.example/3</link></item>\n<item>";
    expect(await refusal(feed(id, broken, { mode: "replace", content_type: "text/xml" }))).toMatchObject({
      code: "invalid_request",
      param: "body",
      details: { reason: "broken_xml", line: 2, accepted: 1, rejected: 0 },
    });
    expect(await refusal(feed(id, "\n", { mode: "replace" }))).toMatchObject({ details: { reason: "empty_feed" } });
    expect(Object.keys(await titles(id)).sort()).toEqual(["1", "2", "3"]);
  });

  it("does not change other campaigns", async () => {
    const [one, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
    await feed(other.id, ndjson(feedBoot("1")));
    ads.clock.advance(1000);
    await feed(one.id, ndjson(feedBoot("2")), { mode: "replace" });
    expect(await titles(other.id)).toEqual({ 1: "Boot 1" });
  });

  it("succeeds while another process imports the same products", async () => {
    const { id } = await makeCampaign(ctx);
    const ids = Array.from({ length: 1000 }, (_, i) => `${i}`);
    const batches = [0, 1, 2, 3].map((n) => {
      const one = new FeedBatches({ now: ads.clock.now(), remembersIds: false });
      for (const sku of n % 2 ? [...ids].reverse() : ids)
        one.add({ line: 1, fields: feedBoot(sku, { title: `By ${n}` }) });
      return one.take()?.rows ?? "";
    });
    await Promise.all(batches.map((rows) => upsertProducts(ads.sql, { campaignId: id, now: ads.clock.now() }, rows)));
    expect(await list(id)).toHaveLength(1000);
  });
});
