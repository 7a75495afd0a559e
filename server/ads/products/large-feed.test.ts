import { describe, expect, it } from "vitest";
import { adsTest, type FeedContent, feedBoot, makeCampaign, ndjson, uploadFeed } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const feed = (id: string, content: FeedContent, fields: object = {}) => uploadFeed(ctx, content, { id, ...fields });

describe("a feed of 20,000 products", () => {
  it.each(["application/x-ndjson", "text/csv", "application/xml"])(
    "as %s is read no faster than it is written",
    async (content_type) => {
      const { id } = await makeCampaign(ctx);
      const description = "A boot that stays dry. ".repeat(20);
      const wrap: Record<string, [string, (n: number) => string, string]> = {
        "application/x-ndjson": ["", (n) => ndjson(feedBoot(`${n}`, { description, price: `${n}.50 USD` })), ""],
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
