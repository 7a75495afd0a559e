import { describe, expect, it, vi } from "vitest";
import { adsTest, feedBoot, makeCampaign, ndjson, refusal, uploadFeed } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const importingSince = async (id: string) =>
  (await ads.db.campaign.findUniqueOrThrow({ where: { id } })).importingSince;

/** More products than one transaction has, then `rest` once the first ones are stored and marked. */
const inTwoParts = (id: string, rest: string) => {
  const parts = [
    () => ndjson(...Array.from({ length: 1100 }, (_, i) => feedBoot(`${i}`))),
    async () => {
      await vi.waitFor(async () => expect(await importingSince(id)).toEqual(ads.clock.now()), { timeout: 30_000 });
      return rest;
    },
  ];
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const part = parts.shift();
        if (part) controller.enqueue(Buffer.from(await part()));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
};

describe("the products of an import are marked while it runs, and served from", () => {
  it.each(["merge", "replace"])("its end, with mode %s", async (mode) => {
    const { id } = await makeCampaign(ctx);
    await uploadFeed(ctx, ndjson(feedBoot("old")), { id });
    ads.clock.advance(1000);
    expect(await uploadFeed(ctx, inTwoParts(id, ndjson(feedBoot("last"))), { id, mode })).toMatchObject({
      accepted: 1101,
    });
    expect(await importingSince(id)).toBeNull();
    const left = mode === "merge" ? 1102 : 1101;
    expect(await ads.db.product.count({ where: { campaignId: id, archivedAt: null } })).toBe(left);
    // The last products, the removals and the end of the mark are one change for those who follow the catalog.
    const { rows } = await ads.sql.query<{ is_together: boolean }>(
      `SELECT bool_and(products.change_xid = campaigns.change_xid) AS is_together
       FROM products JOIN campaigns ON campaigns.id = campaign_id
       WHERE campaign_id = $1 AND products.archived_at IS NOT NULL`,
      [id],
    );
    expect(rows).toEqual([{ is_together: mode === "merge" ? null : true }]);
  });

  it("where it breaks", async () => {
    const { id } = await makeCampaign(ctx);
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(ndjson(feedBoot("1")))),
      pull: (controller) => controller.error(new Error("ECONNRESET")),
    });
    expect(await refusal(uploadFeed(ctx, cut, { id, mode: "replace" }))).toMatchObject({ details: { accepted: 1 } });
    expect(await importingSince(id)).toBeNull();
    expect(await ads.db.product.count({ where: { campaignId: id, archivedAt: null } })).toBe(1);
  });
});
