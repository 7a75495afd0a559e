import { z } from "zod";
import type { Campaign } from "../../engines/postgres/generated/client";
import { recordAudit } from "../../identity/audit/record-audit";
import { contentCodingOf } from "../../kernel/content-coding";
import { type ErrorCode, ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { FEED_MEDIA_TYPES, formatOf } from "./feed-format";
import { type BreakReason, BrokenFeed } from "./feed-line";
import { FeedResult } from "./feed-result";
import { FeedTally } from "./feed-tally";
import { charsetParameter } from "./feed-text";
import { feedExamples, productExample } from "./product.example";
import type { ProductCtx } from "./product-ctx";
import { runImport } from "./run-import";

export const ImportProducts = z.strictObject({
  id,
  mode: z
    .enum(["merge", "replace"])
    .default("merge")
    .describe("`replace` archives products that are not in the feed, after the whole feed was read"),
  content_type: z.string().optional().describe("The request's Content-Type; set by the HTTP layer"),
  content_encoding: z.string().optional().describe("The request's Content-Encoding; set by the HTTP layer"),
});

type Input = z.output<typeof ImportProducts>;

/**
 * Imports a product feed as a stream: NDJSON, CSV, TSV, RSS or Atom with Google Merchant attribute names, plain or
 * gzip. A separate thread decompresses and parses it. Memory use does not grow with the feed, except for 16 to 32 bytes
 * per product. The stream is read as fast as Postgres stores it, in statements of 1,000 products that each commit
 * separately; offers change when the import has ended, from all old products to all new ones. A repeated `id` updates
 * the product; within a feed the last one wins. Invalid lines are reported and skipped.
 *
 * `replace` does not archive products whose line was rejected or that somebody changed since the import started. Throws
 * `not_found`, `unsupported_media_type`, `conflict` while another import into the campaign runs, and `rate_limited`
 * while too many other imports run. A feed that cannot be read to its end throws `payload_too_large`, `unprocessable`,
 * `quota_exceeded`, `unavailable` or `invalid_request` with `details` with `reason`, `line` if known and the result so
 * far (`FeedResult`); products stored before stay, and nothing is archived. If the client disconnects, the import stops
 * immediately, except for archiving, which completes once the whole feed is stored.
 */
export const importProducts = operation({
  id: "importProducts",
  summary: "Import a product feed",
  description:
    "Reads these attributes of Google Merchant Center and ignores others: `id`, `title`, `link` (required), " +
    "`description`, `image_link`, `brand`, `price`, `sale_price`, `sale_price_effective_date`, `availability`, " +
    "`item_group_id`, `gtin`, `product_type`, `google_product_category` (a path of names; a number alone is ignored), " +
    "`product_detail`; in NDJSON also `rating`.",
  access: "ads:write",
  cost: "bulk",
  stores: true,
  input: ImportProducts,
  output: FeedResult,
  example: {
    input: { id: productExample.campaign_id, mode: "merge" },
    output: {
      accepted: 1,
      rejected: 1,
      errors: [{ line: 2, code: "missing_field", message: "link: this field is required." }],
    },
    upload: feedExamples,
  },
  upload: [...FEED_MEDIA_TYPES],
  run: async (ctx: ProductCtx, input, { body, signal: disconnected } = {}) => {
    const campaign = await ownCampaign(ctx, input.id);
    const feed = feedOf(input, body);
    const slot = await ctx.imports.slots.take({ tenantId: ctx.actor.tenantId, campaignId: campaign.id });
    try {
      const signal = disconnected ? AbortSignal.any([disconnected, slot.signal]) : slot.signal;
      const replaces = input.mode === "replace";
      const tally = new FeedTally(ctx, { tenantId: ctx.actor.tenantId, campaignId: campaign.id, replaces });
      try {
        await runImport(ctx, { ...feed, campaignId: campaign.id, replaces, signal, tally });
      } catch (cause) {
        if (!(cause instanceof BrokenFeed)) throw cause;
        if (tally.accepted > 0) await recordImport(ctx, campaign, { mode: input.mode, tally, broken: cause.reason });
        throw brokenFeed(cause, tally);
      }
      await recordImport(ctx, campaign, { mode: input.mode, tally });
      return tally.result();
    } finally {
      await slot.release();
    }
  },
});

/**
 * One entry for the whole feed: its statements commit separately, so the entry cannot share a transaction with them.
 */
function recordImport(
  ctx: ProductCtx,
  campaign: Campaign,
  { mode, tally, broken }: { mode: Input["mode"]; tally: FeedTally; broken?: BreakReason },
): Promise<void> {
  const { accepted, rejected } = tally;
  const details = { mode, accepted, rejected, ...(broken && { broken }) };
  const change = { action: "product_feed.imported", targets: [campaignTarget(campaign)], details };
  return ctx.db.$transaction((tx) => recordAudit(tx, ctx, change));
}

function feedOf({ content_type, content_encoding }: Input, body: ReadableStream<Uint8Array> | undefined) {
  const coding = contentCodingOf(content_encoding);
  if (!coding) throw noSuchEncoding(content_encoding ?? "");
  if (!body) throw new ServiceError("invalid_request", "Send the feed as the request body.", { param: "body" });
  return {
    body,
    format: formatOf(content_type),
    charset: charsetParameter(content_type),
    isGzip: coding === "gzip",
  };
}

/** Error codes of the break reasons that are not `invalid_request`. */
const BREAK_CODES: Partial<Record<BreakReason, ErrorCode>> = {
  compression_ratio: "payload_too_large",
  feed_too_large: "payload_too_large",
  too_many_rows: "payload_too_large",
  upload_too_large: "payload_too_large",
  compute_time: "unprocessable",
  installation_full: "quota_exceeded",
  memory: "unprocessable",
  product_quota: "quota_exceeded",
  server_stopping: "unavailable",
};

/** The result up to the break is in the details, so that the rejected lines before it are not lost. */
function brokenFeed({ reason, message, line, details }: BrokenFeed, tally: FeedTally): ServiceError {
  return new ServiceError(
    BREAK_CODES[reason] ?? "invalid_request",
    `${message} Products stored before the error: ${tally.accepted}.`,
    {
      param: "body",
      ...(reason === "server_stopping" && { retryAfterSeconds: 1 }),
      details: { ...details, reason, ...(line !== undefined && { line }), ...tally.result() },
    },
  );
}

const noSuchEncoding = (encoding: string): ServiceError =>
  new ServiceError("unsupported_media_type", `Content-Encoding "${encoding.slice(0, 40)}" is not accepted; use gzip.`, {
    param: "content_encoding",
  });
