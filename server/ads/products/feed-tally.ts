import { beginImport } from "../imports/import-marks";
import type { FeedBatch } from "./feed-batches";
import type { FeedResult } from "./feed-result";
import type { ProductCtx } from "./product-ctx";
import { upsertProducts } from "./products.sql";
import { storeWithinQuota } from "./store-within-quota";

type TallyCtx = Pick<ProductCtx, "sql" | "clock" | "itemsMax">;

interface TalliedFeed {
  tenantId: string;
  campaignId: string;
  replaces: boolean;
}

/** Stores the batches of a feed and counts stored and rejected lines. */
export class FeedTally {
  accepted = 0;
  rejected = 0;
  /** Products of the feed are stored, and served when the import has ended (`endImport`). */
  hasStored = false;
  readonly #ctx: TallyCtx;
  readonly #feed: TalliedFeed;
  readonly #errors: FeedResult["errors"] = [];
  #warned = 0;
  readonly #warnings: FeedResult["errors"] = [];

  constructor(ctx: TallyCtx, feed: TalliedFeed) {
    this.#ctx = ctx;
    this.#feed = feed;
  }

  async store({ rows, accepted, rejected, errors, warned, warnings }: FeedBatch): Promise<void> {
    this.rejected += rejected;
    this.#errors.push(...errors);
    this.#warned += warned;
    this.#warnings.push(...warnings);
    if (rows !== "") {
      const { sql, itemsMax } = this.#ctx;
      const { tenantId, campaignId, replaces } = this.#feed;
      const linesInstead = replaces ? this.accepted + accepted : undefined;
      const now = this.#ctx.clock.now();
      await storeWithinQuota(sql, { tenantId, campaignId, itemsMax, linesInstead }, async (client) => {
        if (!this.hasStored) await beginImport(client, { campaignId, now });
        await upsertProducts(client, { campaignId, now }, rows);
      });
      this.hasStored = true;
    }
    this.accepted += accepted;
  }

  result(): FeedResult {
    return {
      accepted: this.accepted,
      rejected: this.rejected,
      errors: this.#errors,
      ...(this.rejected > this.#errors.length && { errors_truncated: true }),
      ...(this.#warned > 0 && { warned: this.#warned, warnings: this.#warnings }),
    };
  }
}
