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
  streamOf,
  uploadFeed,
} from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { ServiceError } from "../../kernel/errors";
import { feedBytes } from "./feed-bytes";
import { FEED_LIMITS } from "./feed-limits";
import { listProducts } from "./list-products";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const feed = (id: string, content: FeedContent, fields: object = {}) => uploadFeed(ctx, content, { id, ...fields });
const list = async (id: string) => (await call(ctx, listProducts, { id, limit: 1000 })).data;
const titles = async (id: string) =>
  Object.fromEntries((await list(id)).map(({ external_id, title }) => [external_id, title]));

describe("a broken feed", () => {
  it("keeps the products before a CSV row that is not closed, and reports the line", async () => {
    const { id } = await makeCampaign(ctx);
    const content = 'id,title,link\n1,T,https://shop.example/1\n2,"T,https://shop.example/2\n';
    expect(await refusal(feed(id, content, { content_type: "text/csv" }))).toMatchObject({
      details: { reason: "broken_csv", line: 3, accepted: 1, rejected: 0 },
    });
    expect(await titles(id)).toEqual({ 1: "T" });
  });

  it("reports the lines that were rejected before it broke, with their ids", async () => {
    const { id } = await makeCampaign(ctx);
    const content = 'id,title,link\n1,T,\n2,T,https://shop.example/2\n,T,https://shop.example/3\n4,"T,l\n';
    expect(await refusal(feed(id, content, { content_type: "text/csv" }))).toMatchObject({
      details: {
        reason: "broken_csv",
        line: 5,
        accepted: 1,
        rejected: 2,
        errors: [
          { line: 2, id: "1", code: "missing_field", message: "link: expected a value" },
          { line: 4, code: "missing_field", message: "id: expected a value" },
        ],
      },
    });
  });

  it.each([
    ["truncated", (packed: Buffer) => packed.subarray(0, packed.length - 10)],
    ["damaged", (packed: Buffer) => Buffer.concat([packed.subarray(0, 10), Buffer.alloc(50, 0xff)])],
    ["no gzip at all", () => Buffer.from(ndjson(feedBoot("1")))],
  ])("is rejected when its gzip data is %s", async (_, spoil) => {
    const { id } = await makeCampaign(ctx);
    const packed = spoil(gzipSync(ndjson(...Array.from({ length: 50 }, (_, i) => feedBoot(`${i}`)))));
    expect(await refusal(feed(id, packed, { content_encoding: "gzip" }))).toMatchObject({
      code: "invalid_request",
      details: { reason: "broken_gzip" },
    });
  });

  it("is rejected over the limit on its decompressed size, however small its compressed size is", async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(10_000);
    const read = async () => {
      let total = 0;
      const limits = { ...FEED_LIMITS, bytesMax: 1024 * 1024 };
      for await (const chunk of feedBytes(streamOf(bomb), { limits })) total += chunk.length;
      return total;
    };
    await expect(read()).rejects.toMatchObject({ reason: "feed_too_large" });
    await expect(read()).rejects.toThrow("at most 1048576 bytes");
  });

  it("is rejected as too large over its limit, and keeps the products before", async () => {
    const { id } = await makeCampaign(ctx);
    const lines = ndjson(...Array.from({ length: 100 }, (_, i) => feedBoot(`${i}`)));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of [lines, " ".repeat(1 << 20)]) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    const tight = { ...ctx, imports: { ...ctx.imports, limits: { ...FEED_LIMITS, bytesMax: 1 << 20 } } };
    expect(await refusal(uploadFeed(tight, body, { id }))).toMatchObject({
      code: "payload_too_large",
      details: { reason: "feed_too_large", accepted: 100 },
    });
    expect(await list(id)).toHaveLength(100);
  });

  it("keeps the products before a disconnect, and passes on errors of the HTTP layer unchanged", async () => {
    const { id } = await makeCampaign(ctx);
    const endingIn = (cause: Error) => {
      let sent = false;
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (sent) controller.error(cause);
          else controller.enqueue(Buffer.from(ndjson(feedBoot("1"))));
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

  it("is not read further", async () => {
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
