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

  it("with a repeated id count once and keep the last one, within a batch and across batches, and are reported", async () => {
    const { id } = await makeCampaign(ctx);
    const many = Array.from({ length: 1500 }, (_, i) => feedBoot(`${i}`));
    const content = ndjson(
      feedBoot("a", { title: "First" }),
      feedBoot("a", { title: "Second" }),
      feedBoot("a", { price: "free" }),
      ...many,
      feedBoot("0", { title: "Last" }),
    );
    const repeated = (line: number, of: string, before: number) => ({
      line,
      id: of,
      code: "repeated_id",
      message: expect.stringMatching(`^id: repeated from line ${before}; `),
    });
    expect(await feed(id, content)).toMatchObject({
      accepted: 1501,
      rejected: 1,
      warned: 2,
      warnings: [repeated(2, "a", 1), repeated(1504, "0", 4)],
    });
    expect(await ads.db.product.count({ where: { campaignId: id } })).toBe(1501);
    const rows = await ads.db.product.findMany({ where: { campaignId: id, externalId: { in: ["a", "0"] } } });
    expect(rows.map(({ title }) => title).sort()).toEqual(["Last", "Second"]);
  });

  it("keep ids, prices and details of JSON with the digits that they have in the feed", async () => {
    const { id } = await makeCampaign(ctx);
    const ids = ["7635917337495251231", "7635917337495251232", "7635917337495251233", "1.10", "1e3", "-0"];
    const line = (sku: string) =>
      `{"id":${sku},"title":9007199254740993,"link":"https://shop.example/${sku}","item_group_id":${sku},"gtin":4006381333931,` +
      `"price":{"value":49.90,"currency":"USD"},"rating":{"value":4.0,"count":1e2},"product_detail":{"name":"mpn","value":${sku}}}`;
    expect(await feed(id, ids.map(line).join("\n"))).toEqual({ accepted: 6, rejected: 0, errors: [] });
    const products = await list(id);
    expect(products.map(({ external_id }) => external_id).sort()).toEqual([...ids].sort());
    for (const product of products) {
      expect(product).toMatchObject({
        title: "9007199254740993",
        item_group_id: product.external_id,
        gtin: "04006381333931",
        price: { amount: 49.9, currency: "USD" },
        rating: { value: 4, count: 100 },
        details: [{ name: "mpn", value: product.external_id }],
      });
    }
  });
});

describe("an encoding", () => {
  const csv = "id,title,link\n1,Café crème für 5 €,https://shop.example/1\n";
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
  const latin = Buffer.from(csv.replace("€", "\x80"), "latin1");
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<rss><channel><item><id>1</id><title>Café crème für 5 €</title><link>https://shop.example/1</link></item></channel></rss>`;
  it.each<[string, Buffer, string | undefined]>([
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${csv}`), "text/csv"],
    ["a byte order mark against a charset", Buffer.from(`\ufeff${csv}`), "text/csv; charset=windows-1252"],
    ["UTF-16LE", utf16(csv), "text/csv"],
    ["UTF-16BE", utf16(csv).swap16(), undefined],
    ["UTF-16LE without a byte order mark", utf16(csv).subarray(2), "text/csv; header=present"],
    ["UTF-16 of tabs, as Excel writes it", utf16(csv.replaceAll(",", "\t")), undefined],
    ["NDJSON in UTF-16", utf16(ndjson(feedBoot("1", { title: "Café crème für 5 €" }))), "application/x-ndjson"],
    ["gzip of UTF-16", gzipSync(utf16(csv)), undefined],
    ["a charset", latin, "text/csv; charset=ISO-8859-1"],
    ["a quoted charset", latin, 'text/csv; header=present; Charset="Windows-1252"'],
    ["an XML declaration", Buffer.from(xml("windows-1252").replace("€", "\x80"), "latin1"), "application/xml"],
    ["XML in UTF-16", utf16(xml("UTF-16")), "text/xml"],
  ])("%s is read", async (_, body, content_type) => {
    const { id } = await makeCampaign(ctx);
    expect(await feed(id, body, { content_type })).toEqual({ accepted: 1, rejected: 0, errors: [] });
    expect(await list(id)).toMatchObject([{ title: "Café crème für 5 €" }]);
  });

  it("that is not the feed's rejects the lines that it damages, and says what to do", async () => {
    const { id } = await makeCampaign(ctx);
    const lines = [
      ["application/x-ndjson", (title: string) => ndjson(feedBoot("1"), feedBoot("2", { title }), feedBoot("3"))],
      [
        "application/x-ndjson",
        (name: string) => ndjson(feedBoot("1"), feedBoot("2", { product_detail: { name, value: "x" } }), feedBoot("3")),
      ],
    ] as const;
    for (const [content_type, contentOf] of lines) {
      expect(await feed(id, Buffer.from(contentOf("caf\xe9"), "latin1"), { content_type })).toMatchObject({
        accepted: 2,
        errors: [
          { line: 2, id: "2", code: "invalid_field", message: expect.stringMatching(/: expected UTF-8 .*charset=/) },
        ],
      });
    }
  });

  it.each(["text/csv; charset=klingon", "text/csv; charset=utf-32"])("%s is refused by name", async (content_type) => {
    const { id } = await makeCampaign(ctx);
    const error = await refusal(feed(id, csv, { content_type }));
    expect(error).toMatchObject({ code: "invalid_request", details: { reason: "unknown_charset" } });
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
