import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign, refusal } from "../../../test/factories/ads";
import { ServiceError } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { DeleteProduct, deleteProduct } from "./delete-product";
import { feedBytes } from "./feed-bytes";
import { GetProduct, getProduct } from "./get-product";
import { ImportProducts, importProducts } from "./import-products";
import { ListProducts, listProducts } from "./list-products";

let ads: Awaited<ReturnType<typeof adsTest>>;
let ctx: AdsCtx;
beforeAll(async () => {
  ads = await adsTest();
  ctx = (await ads.tenant()).key("live");
});
afterAll(() => ads.close());

type Content = string | Uint8Array | ReadableStream<Uint8Array>;
const streamOf = (content: Content) =>
  content instanceof ReadableStream
    ? content
    : (new Blob([content as BlobPart]).stream() as ReadableStream<Uint8Array>);

const feed = (id: string, content: Content, fields: object = {}) => {
  const input = { id, content_type: "application/x-ndjson", ...fields };
  return importProducts(ctx, { ...ImportProducts.parse(input), body: streamOf(content) });
};
const ndjson = (...products: object[]) => products.map((product) => `${JSON.stringify(product)}\n`).join("");
const boot = (id: string, fields: object = {}) => ({
  id,
  title: `Boot ${id}`,
  link: `https://shop.example/${id}`,
  ...fields,
});
const list = async (id: string) => (await call(ctx, [ListProducts, listProducts], { id, limit: 1000 })).data;
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
    gtin: "0123456789012",
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
      ] as [Content, object][]) {
        const { id } = await makeCampaign(ctx);
        const told = "content_type" in fields ? fields : { content_type: undefined };
        expect(await feed(id, body, told)).toEqual({ accepted: 1, rejected: 0, errors: [] });
        expect(await list(id)).toMatchObject([{ campaign_id: id, ...rich }]);
      }
    },
  );

  it("refuses a Content-Type that is no feed's and a Content-Encoding it cannot unpack", async () => {
    const { id } = await makeCampaign(ctx);
    const json = await refusal(feed(id, "[]", { content_type: "application/json" }));
    expect(json).toMatchObject({ code: "unsupported_media_type", param: "content_type" });
    const brotli = await refusal(feed(id, "", { content_encoding: "br" }));
    expect(brotli).toMatchObject({ code: "unsupported_media_type", param: "content_encoding" });
  });

  it("refuses a request without a body", async () => {
    const { id } = await makeCampaign(ctx);
    expect(await refusal(importProducts(ctx, ImportProducts.parse({ id })))).toMatchObject({ param: "body" });
  });
});

describe("lines", () => {
  it("are taken or rejected one by one, each rejection with its line, code and field", async () => {
    const { id } = await makeCampaign(ctx);
    const content = `${ndjson(boot("1"), { id: "2" })}nonsense\n\n${ndjson(boot("3", { price: "free" }), boot("4"))}`;
    expect(await feed(id, content)).toEqual({
      accepted: 2,
      rejected: 3,
      errors: [
        { line: 2, code: "missing_field", message: "title: expected a value" },
        { line: 3, code: "invalid_json", message: expect.any(String) },
        { line: 5, code: "invalid_field", message: expect.stringMatching(/^price: /) },
      ],
    });
    expect(Object.keys(await titles(id)).sort()).toEqual(["1", "4"]);
  });

  it("report the first 1,000 errors and tell that there were more", async () => {
    const { id } = await makeCampaign(ctx);
    expect(await feed(id, "x\n".repeat(1000))).not.toHaveProperty("errors_truncated");
    const result = await feed(id, "x\n".repeat(1001));
    expect(result).toMatchObject({ accepted: 0, rejected: 1001, errors_truncated: true });
    expect(result.errors).toHaveLength(1000);
    expect(result.errors.at(-1)?.line).toBe(1000);
  });

  it("with a repeated id leave the last one, within a batch and across batches", async () => {
    const { id } = await makeCampaign(ctx);
    const many = Array.from({ length: 1500 }, (_, i) => boot(`${i}`));
    const content = ndjson(
      boot("a", { title: "First" }),
      boot("a", { title: "Second" }),
      ...many,
      boot("0", { title: "Last" }),
    );
    expect(await feed(id, content)).toMatchObject({ accepted: 1503, rejected: 0 });
    const rows = await ads.db.product.findMany({ where: { campaignId: id, externalId: { in: ["a", "0"] } } });
    expect(rows.map(({ title }) => title).sort()).toEqual(["Last", "Second"]);
  });
});

describe("a second feed", () => {
  it("updates by id, keeps what it does not name, and does not write what is unchanged", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(
      id,
      ndjson(boot("1"), boot("2", { price: "5 USD", product_detail: { name: "a", value: "b" } }), boot("3")),
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
      ndjson(boot("1", { title: "New" }), boot("2", { price: "5.00 USD", product_detail: { name: "a", value: "b" } })),
    );
    const after = (await rows()).rows;
    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id));
    expect(after[0].change_xid).not.toBe(before[0].change_xid);
    expect(after[0].updated_at).toEqual(ads.clock.now());
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await titles(id)).toEqual({ 1: "New", 2: "Boot 2", 3: "Boot 3" });
  });

  it("archives what it does not name when it replaces, and brings it back when named again", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(boot("1"), boot("2"), boot("3")));
    const [kept] = (await list(id)).filter(({ external_id }) => external_id === "2");
    ads.clock.advance(1000);
    await feed(id, ndjson(boot("2"), boot("4")), { mode: "replace" });
    expect(Object.keys(await titles(id)).sort()).toEqual(["2", "4"]);
    await feed(id, ndjson(boot("1")));
    expect(Object.keys(await titles(id)).sort()).toEqual(["1", "2", "4"]);
    expect((await list(id)).find(({ external_id }) => external_id === "2")).toEqual(kept);
  });

  it("does not archive a product whose line it rejects", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(boot("1"), boot("2")));
    ads.clock.advance(1000);
    expect(await feed(id, ndjson(boot("1", { price: "?" })), { mode: "replace" })).toMatchObject({ rejected: 1 });
    expect(await titles(id)).toEqual({ 1: "Boot 1" });
  });

  it("archives nothing when it breaks off or is empty", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(boot("1"), boot("2")));
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

  it("leaves other campaigns alone", async () => {
    const [one, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
    await feed(other.id, ndjson(boot("1")));
    ads.clock.advance(1000);
    await feed(one.id, ndjson(boot("2")), { mode: "replace" });
    expect(await titles(other.id)).toEqual({ 1: "Boot 1" });
  });

  it("at the same time as others on the same products ends without a failure", async () => {
    const { id } = await makeCampaign(ctx);
    const ids = Array.from({ length: 1000 }, (_, i) => `${i}`);
    const feeds = [0, 1, 2, 3].map((n) => {
      const products = (n % 2 ? [...ids].reverse() : ids).map((sku) => boot(sku, { title: `By ${n}` }));
      return feed(id, ndjson(...products));
    });
    for (const result of await Promise.all(feeds)) expect(result.accepted).toBe(1000);
    expect(await list(id)).toHaveLength(1000);
  });
});

describe("a feed that breaks", () => {
  it("keeps the products before a CSV row that never ends and names the line", async () => {
    const { id } = await makeCampaign(ctx);
    const content = 'id,title,link\n1,T,https://shop.example/1\n2,"T,https://shop.example/2\n';
    expect(await refusal(feed(id, content, { content_type: "text/csv" }))).toMatchObject({
      details: { reason: "broken_csv", line: 3, accepted: 1, rejected: 0 },
    });
    expect(await titles(id)).toEqual({ 1: "T" });
  });

  it.each([
    ["cut short", (packed: Buffer) => packed.subarray(0, packed.length - 10)],
    ["damaged", (packed: Buffer) => Buffer.concat([packed.subarray(0, 10), Buffer.alloc(50, 0xff)])],
    ["no gzip at all", () => Buffer.from(ndjson(boot("1")))],
  ])("is refused when its gzip is %s", async (_, spoil) => {
    const { id } = await makeCampaign(ctx);
    const packed = spoil(gzipSync(ndjson(...Array.from({ length: 50 }, (_, i) => boot(`${i}`)))));
    expect(await refusal(feed(id, packed, { content_encoding: "gzip" }))).toMatchObject({
      code: "invalid_request",
      details: { reason: "broken_gzip" },
    });
  });

  it("is refused past the limit on what it unpacks to, however small it was packed", async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(10_000);
    const read = async () => {
      let total = 0;
      for await (const chunk of feedBytes(streamOf(bomb), { bytesMax: 1024 * 1024 })) total += chunk.length;
      return total;
    };
    await expect(read()).rejects.toMatchObject({ reason: "feed_too_large" });
    await expect(read()).rejects.toThrow("at most 1048576 bytes");
  });

  it("because its sender went away keeps what had come, and hands on a refusal of the surface as it is", async () => {
    const { id } = await makeCampaign(ctx);
    const endingIn = (cause: Error) => {
      let sent = false;
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (sent) controller.error(cause);
          else controller.enqueue(Buffer.from(ndjson(boot("1"))));
          sent = true;
        },
      });
    };
    expect(await refusal(feed(id, endingIn(new Error("ECONNRESET"))))).toMatchObject({
      details: { reason: "interrupted", accepted: 1 },
    });
    const tooLarge = new ServiceError("payload_too_large", "Too large.");
    expect(await refusal(feed(id, endingIn(tooLarge)))).toBe(tooLarge);
    expect(await titles(id)).toEqual({ 1: "Boot 1" });
  });

  it("is read no further", async () => {
    const { id } = await makeCampaign(ctx);
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from("<!DOCTYPE x>\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await refusal(feed(id, body, { content_type: "text/xml" }))).toMatchObject({ details: { line: 1 } });
    expect(cancelled).toBe(true);
  });
});

describe("a feed of 20,000 products", () => {
  it.each(["application/x-ndjson", "text/csv", "application/xml"])(
    "as %s is asked for no faster than it is written",
    async (content_type) => {
      const { id } = await makeCampaign(ctx);
      const description = "A boot that stays dry. ".repeat(20);
      const wrap: Record<string, [string, (n: number) => string, string]> = {
        "application/x-ndjson": ["", (n) => ndjson(boot(`${n}`, { description, price: `${n}.50 USD` })), ""],
        "text/csv": [
          "id,title,link,description,price\n",
          (n) => `${n},"Boot ${n}",https://shop.example/${n},${description},${n}.50 USD\n`,
          "",
        ],
        "application/xml": [
          "<rss><channel>",
          (n) =>
            `<item><g:id>${n}</g:id><title>Boot ${n}</title><link>https://shop.example/${n}</link><description>${description}</description><g:price>${n}.50 USD</g:price></item>\n`,
          "</channel></rss>",
        ],
      };
      const [head, one, tail] = wrap[content_type] ?? ["", () => "", ""];
      let made = 0;
      let aheadMax = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => controller.enqueue(Buffer.from(head)),
          pull: async (controller) => {
            const { rows } = await ads.sql.query(
              "SELECT count(*)::int AS written FROM products WHERE campaign_id = $1",
              [id],
            );
            aheadMax = Math.max(aheadMax, made - rows[0].written);
            let text = "";
            for (const end = made + 200; made < end; made++) text += one(made);
            controller.enqueue(Buffer.from(text));
            if (made < 20_000) return;
            controller.enqueue(Buffer.from(tail));
            controller.close();
          },
        },
        { highWaterMark: 1 },
      );
      expect(await feed(id, body, { content_type, mode: "replace" })).toEqual({
        accepted: 20_000,
        rejected: 0,
        errors: [],
      });
      expect(await ads.db.product.count({ where: { campaignId: id, archivedAt: null } })).toBe(20_000);
      expect(aheadMax).toBeLessThan(3000);
    },
  );
});

describe("a product", () => {
  it("is read by its id, and gone once archived until a feed names it again", async () => {
    const { id } = await makeCampaign(ctx);
    await feed(id, ndjson(boot("1")));
    const [product] = await list(id);
    const ids = { id, product_id: product?.id };
    expect(await call(ctx, [GetProduct, getProduct], ids)).toEqual(product);
    await call(ctx, [DeleteProduct, deleteProduct], ids);
    expect((await refusal(call(ctx, [GetProduct, getProduct], ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, [DeleteProduct, deleteProduct], ids))).code).toBe("not_found");
    expect(await list(id)).toEqual([]);
    await feed(id, ndjson(boot("1")));
    expect(await call(ctx, [GetProduct, getProduct], ids)).toMatchObject({ id: product?.id, external_id: "1" });
  });

  it("is not found under another campaign", async () => {
    const [one, other] = [await makeCampaign(ctx), await makeCampaign(ctx)];
    await feed(one.id, ndjson(boot("1")));
    const [product] = await list(one.id);
    const ids = { id: other.id, product_id: product?.id };
    expect((await refusal(call(ctx, [GetProduct, getProduct], ids))).code).toBe("not_found");
    expect((await refusal(call(ctx, [DeleteProduct, deleteProduct], ids))).code).toBe("not_found");
  });
});
