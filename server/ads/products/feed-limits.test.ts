import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  adsTest,
  type FeedContent,
  feedBoot,
  makeCampaign,
  ndjson,
  refusal,
  uploadFeed,
} from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { FEED_LIMITS, type FeedLimits, ROW_LIMITS } from "./feed-limits";

const MIB = 1024 * 1024;
const POLLED = { timeout: 20_000 };

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");
const id = (await makeCampaign(ctx)).id;

const within = (limits: Partial<FeedLimits>, content: FeedContent, fields: object = {}) =>
  uploadFeed({ ...ctx, imports: { ...ctx.imports, limits: { ...FEED_LIMITS, ...limits } } }, content, {
    id,
    ...fields,
  });
const feed = (content: FeedContent, fields: object = {}) => within({}, content, fields);
const threads = () => (process.report.getReport() as { workers: unknown[] }).workers.length;
const boots = (count: number, from = 0) => ndjson(...Array.from({ length: count }, (_, i) => feedBoot(`${from + i}`)));

/** A body that sends these chunks, and then neither more data nor an end. */
const pieces = (...all: (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = all.shift();
      if (piece === undefined) return new Promise(() => undefined);
      controller.enqueue(Buffer.from(piece));
    },
  });

/** Endless rows, none of which is a product. */
const endless = () => {
  const piece = Buffer.from('{"title":1}\n'.repeat(5000));
  return new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) });
};

const TYPES = {
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  xml: "application/xml",
};
const HEADS: Record<keyof typeof TYPES, string> = {
  ndjson: boots(1),
  csv: "id,title,link\n1,T,https://shop.example/1\n",
  tsv: "id\ttitle\tlink\n1\tT\thttps://shop.example/1\n",
  xml: "<rss><channel><item><g:id>1</g:id><title>T</title><link>https://shop.example/1</link></item>",
};

describe("a feed with a long part without products", () => {
  const FILLERS = {
    newlines: "\n",
    spaces: " ",
    letters: "x",
    quotes: '"',
    commas: ",",
    tabs: "\t",
    tags: "<a/>",
    openings: "<",
  };
  const cases = (Object.keys(TYPES) as (keyof typeof TYPES)[]).flatMap((type) =>
    Object.entries(FILLERS).map(([name, filler]) => [type, name, filler] as const),
  );

  it.each(cases)("as %s ends early at %s, and keeps the product before", async (type, _, filler) => {
    const text = HEADS[type] + filler.repeat((16 * MIB) / filler.length);
    const failure = await refusal(feed(gzipSync(text, { level: 1 }), { content_type: TYPES[type] }));
    expect(failure).toMatchObject({
      code: expect.stringMatching(/^(invalid_request|payload_too_large)$/),
      param: "body",
      details: { accepted: 1, reason: expect.stringMatching(/^(no_rows|broken_xml|broken_csv)$/) },
    });
    expect(failure.message).toContain("Products stored before the error: 1.");
    expect(threads()).toBe(0);
  });

  it("fails with the maximum number of bytes without a product", async () => {
    expect(await refusal(feed("\n".repeat(FEED_LIMITS.gapBytesMax + 2 * MIB)))).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(`${FEED_LIMITS.gapBytesMax} bytes without a product`),
      details: { reason: "no_rows", accepted: 0, rejected: 0 },
    });
  });
});

describe("a feed over a limit of the whole import", () => {
  const likeEachOther = gzipSync(`{"id":"${"x".repeat(1000)}"}\n`.repeat(20_000));

  it.each<{ reason: string; limits: Partial<FeedLimits>; content: () => FeedContent; code: string }>([
    {
      reason: "upload_too_large",
      code: "payload_too_large",
      limits: { sentBytesMax: 2000 },
      content: () => boots(1000),
    },
    {
      reason: "feed_too_large",
      code: "payload_too_large",
      limits: { bytesMax: 2000 },
      content: () => gzipSync(boots(1000)),
    },
    {
      reason: "compression_ratio",
      code: "payload_too_large",
      limits: { ratioGraceBytes: MIB, ratioMax: 20 },
      content: () => likeEachOther,
    },
    {
      reason: "too_many_rows",
      code: "payload_too_large",
      limits: { rowsMax: 10 },
      content: () => boots(1000),
    },
    {
      reason: "stalled",
      code: "invalid_request",
      limits: { idleMs: 200 },
      content: () => pieces(boots(3)),
    },
    {
      reason: "import_time",
      code: "invalid_request",
      limits: { totalMs: 1500 },
      content: () => pieces(boots(3)),
    },
  ])("ends with $reason", async ({ reason, limits, content, code }) => {
    expect(await refusal(within(limits, content()))).toMatchObject({
      code,
      param: "body",
      details: { reason, accepted: expect.any(Number), rejected: expect.any(Number) },
    });
    expect(threads()).toBe(0);
  });

  it("of the compression ratio accepts a feed that is small or compresses like a typical catalog", async () => {
    const likeRows = gzipSync(boots(2000));
    expect(await within({ ratioGraceBytes: 1000, ratioMax: 20 }, likeRows)).toMatchObject({ accepted: 2000 });
    expect(await within({ ratioMax: 1 }, likeRows)).toMatchObject({ accepted: 2000 });
  });

  it("of CPU time stops a thread that is busy without a valid product, and one that is busy for too long", async () => {
    const idle = await refusal(within({ computeBetweenProductsMs: 2000 }, endless()));
    expect(idle).toMatchObject({ code: "unprocessable", details: { reason: "compute_time", accepted: 0 } });
    expect(idle.details?.rejected).toBeGreaterThan(0);
    const busy = await refusal(within({ computeMs: 500 }, endless()));
    expect(busy).toMatchObject({ code: "unprocessable", details: { reason: "compute_time" } });
    expect(threads()).toBe(0);
  });

  it("of memory stops only the import", async () => {
    const line = `{"id":[${"{},".repeat(300_000)}1]}\n`;
    const failure = await refusal(within({ heapMib: 8 }, line.repeat(3)));
    expect(failure).toMatchObject({ code: "unprocessable", details: { reason: "memory" } });
    expect(await feed(boots(3))).toMatchObject({ accepted: 3 });
  });
});

describe("a row over a limit", () => {
  const nested = (depth: number) => `{"id":${"[".repeat(depth)}${"]".repeat(depth)}}\n`;

  it.each([
    ["levels", nested(ROW_LIMITS.depthMax)],
    ["many levels", nested(200_000)],
    ["values", `{"id":[${"1,".repeat(ROW_LIMITS.valuesMax)}1]}\n`],
  ])("of JSON %s is rejected, and the next one is taken", async (_, line) => {
    expect(await feed(line + boots(1))).toMatchObject({
      accepted: 1,
      rejected: 1,
      errors: [{ line: 1, code: "too_complex" }],
    });
  });

  it("of XML elements is rejected, and the next row is accepted", async () => {
    const item = (inner: string) =>
      `<item><g:id>1</g:id><title>T</title><link>https://shop.example/1</link>${inner}</item>`;
    const xml = `<rss><channel>${item("<a/>".repeat(ROW_LIMITS.valuesMax))}${item("")}</channel></rss>`;
    expect(await feed(xml, { content_type: "application/xml" })).toMatchObject({
      accepted: 1,
      rejected: 1,
      errors: [{ line: 1, code: "too_complex" }],
    });
  });

  it("of product details is truncated, however many commas it contains", async () => {
    const [product_detail, many] = [`${",".repeat(900_000)}a:b`, "a:b,".repeat(200_000)];
    const content = ndjson(feedBoot("commas", { product_detail }), feedBoot("many", { product_detail: many }));
    expect(await feed(content)).toMatchObject({ accepted: 2 });
    const stored = await ads.db.product.findFirstOrThrow({ where: { campaignId: id, externalId: "many" } });
    expect(stored.details).toHaveLength(500);
  });
});

describe("a structure over a limit", () => {
  const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${"bcdefghij"
    .split("")
    .map((name, i) => `<!ENTITY ${name} "${`&${"abcdefghi"[i]};`.repeat(10)}">`)
    .join("")}]><rss>&j;</rss>`;

  it.each([
    ["CSV columns", "text/csv", `id,title,link${",x".repeat(ROW_LIMITS.columnsMax)}\n1,T,l\n`],
    ["CSV header", "text/csv", `id,title,link,${"x".repeat(ROW_LIMITS.headerLengthMax)}\n1,T,l\n`],
    ["XML attributes", "text/xml", `<rss ${Array.from({ length: 65 }, (_, i) => `a${i}=""`).join(" ")}/>`],
    ["XML depth", "text/xml", "<a>".repeat(100_000)],
    ["XML entities", "text/xml", laughs],
  ])("of %s ends the feed", async (_, content_type, text) => {
    expect(await refusal(feed(text, { content_type }))).toMatchObject({
      code: "invalid_request",
      details: { reason: content_type === "text/csv" ? "broken_csv" : "broken_xml" },
    });
  });
});

describe("a client that disconnects", () => {
  const leave = async (mode: string, content: ReadableStream<Uint8Array>) => {
    const { id: campaign } = await makeCampaign(ctx);
    await feed(boots(5), { id: campaign });
    ads.clock.advance(1000);
    const leaving = new AbortController();
    const ended = refusal(uploadFeed(ctx, content, { id: campaign, mode, signal: leaving.signal }));
    return { campaign, leaving, ended };
  };
  const live = (campaign: string) => ads.db.product.count({ where: { campaignId: campaign, archivedAt: null } });

  it("stops an import that waits for bytes: batches stay, the thread ends, the body is cancelled", async () => {
    let isCancelled = false;
    const all = [boots(2500, 100)];
    const content = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = all.shift();
        if (piece === undefined) return new Promise(() => undefined);
        controller.enqueue(Buffer.from(piece));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    const { campaign, leaving, ended } = await leave("replace", content);
    await expect.poll(() => live(campaign), POLLED).toBe(5 + 2000);
    leaving.abort();
    expect(await ended).toMatchObject({ details: { reason: "interrupted", accepted: 2000 } });
    expect([isCancelled, threads()]).toEqual([true, 0]);
    expect(await live(campaign)).toBe(5 + 2000);
    // The slot is free again.
    expect(await feed(boots(1), { id: campaign })).toMatchObject({ accepted: 1 });
  });

  it("stops a busy thread", async () => {
    const { campaign, leaving, ended } = await leave("replace", endless());
    await expect.poll(threads, POLLED).toBe(1);
    leaving.abort();
    expect(await ended).toMatchObject({ details: { reason: "interrupted" } });
    expect(threads()).toBe(0);
    expect(await live(campaign)).toBe(5);
  });

  it("after the last byte stops a replacing import before it archives", async () => {
    const { campaign, leaving, ended } = await leave("replace", pieces(boots(1)));
    await expect.poll(threads, POLLED).toBe(1);
    leaving.abort();
    await ended;
    expect(await live(campaign)).toBe(5);
  });
});

describe("a second import", () => {
  it("into a campaign is rejected while the first one continues", async () => {
    const { id: campaign } = await makeCampaign(ctx);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const first = feed(readable, { id: campaign });
    await writer.write(Buffer.from(boots(2)));
    expect(await refusal(feed(boots(9), { id: campaign, mode: "replace" }))).toMatchObject({
      code: "conflict",
      details: { reason: "import_running" },
    });
    await writer.write(Buffer.from(boots(2, 2)));
    await writer.close();
    expect(await first).toMatchObject({ accepted: 4, rejected: 0 });
    expect(await feed(boots(1), { id: campaign })).toMatchObject({ accepted: 1 });
  });
});
