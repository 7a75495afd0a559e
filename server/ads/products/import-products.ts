import { z } from "zod";
import type { Campaign } from "../../engines/postgres/generated/client";
import { recordAudit } from "../../identity/audit/record-audit";
import { ServiceError } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { csvLines } from "./csv-lines";
import { feedBytes, peek } from "./feed-bytes";
import { formatOf, guessFormat, HEAD_BYTES } from "./feed-format";
import { BrokenFeed, type FeedLine } from "./feed-line";
import type { FeedResult } from "./feed-result";
import { FeedTally } from "./feed-tally";
import { ndjsonLines } from "./ndjson-lines";
import { archiveAbsentProducts } from "./products.sql";
import { xmlLines } from "./xml-lines";

export const ImportProducts = z.strictObject({
  id,
  mode: z
    .enum(["merge", "replace"])
    .default("merge")
    .describe("`replace` archives products that the feed does not name, once all of it was read"),
  content_type: z.string().optional().describe("The request's Content-Type; the HTTP layer fills it in"),
  content_encoding: z.string().optional().describe("The request's Content-Encoding; the HTTP layer fills it in"),
});

type Input = z.output<typeof ImportProducts> & {
  body?: ReadableStream<Uint8Array> | undefined;
  /** Default: 1 GiB. */
  bytesMax?: number | undefined;
};

/**
 * Reads a product feed while it arrives: NDJSON, CSV, TSV, RSS or Atom with Google Merchant attribute names, plain or
 * gzip. Memory does not grow with the feed (8 bytes a product with `replace`), and it is read no faster than Postgres
 * takes it, in statements of 1,000 products that are final one by one. A repeated `id` updates, within a feed the last
 * one wins; a bad line is reported and skipped.
 *
 * `replace` leaves products alone whose line was rejected, and changes nobody made since the feed began.
 * Throws `not_found`, `unsupported_media_type`, `payload_too_large` for a feed that unpacks to more than 1 GiB, and
 * `invalid_request` for one that breaks off or cannot be read on, both with
 * `details: { reason, line?, accepted, rejected }`: what came before the break stays, and nothing is archived.
 */
export async function importProducts(ctx: AdsCtx, input: Input): Promise<FeedResult> {
  const campaign = await ownCampaign(ctx, input.id);
  const startedAt = ctx.clock.now();
  const tally = new FeedTally(ctx, { campaignId: campaign.id, remembersIds: input.mode === "replace" });
  try {
    for await (const line of linesOf(input)) await tally.add(line);
  } catch (cause) {
    if (!(cause instanceof BrokenFeed)) throw cause;
    await tally.flush();
    if (tally.accepted > 0) await recordImport(ctx, campaign, { mode: input.mode, tally, broken: cause.reason });
    throw brokenFeed(cause, tally);
  }
  await tally.flush();
  if (input.mode === "replace") {
    if (tally.accepted + tally.rejected === 0) throw emptyFeed();
    const period = { campaignId: campaign.id, startedAt, now: ctx.clock.now() };
    await archiveAbsentProducts(ctx.sql, period, (externalId) => tally.seen.has(externalId));
  }
  await recordImport(ctx, campaign, { mode: input.mode, tally });
  return tally.result();
}

/** One entry for the whole feed: its statements are final one by one, so it cannot stand in a transaction with them. */
function recordImport(
  ctx: AdsCtx,
  campaign: Campaign,
  { mode, tally, broken }: { mode: Input["mode"]; tally: FeedTally; broken?: BrokenFeed["reason"] },
): Promise<void> {
  const { accepted, rejected } = tally;
  const details = { mode, accepted, rejected, ...(broken && { broken }) };
  const change = { action: "product_feed.imported", targets: [campaignTarget(campaign)], details };
  return ctx.db.$transaction((tx) => recordAudit(tx, ctx, change));
}

async function* linesOf({ body, bytesMax, content_type, content_encoding }: Input): AsyncGenerator<FeedLine> {
  const encoding = content_encoding?.trim().toLowerCase() || "identity";
  if (!["identity", "gzip", "x-gzip"].includes(encoding)) throw noSuchEncoding(encoding);
  if (!body) throw new ServiceError("invalid_request", "Send the feed as the request's body.", { param: "body" });
  const told = formatOf(content_type);
  const { head, chunks } = await peek(feedBytes(body, { isGzip: encoding !== "identity", bytesMax }), HEAD_BYTES);
  const format = told ?? guessFormat(head);
  if (format === "ndjson") yield* ndjsonLines(chunks);
  else if (format === "xml") yield* xmlLines(chunks);
  else yield* csvLines(chunks, format === "csv" ? "," : "\t");
}

function brokenFeed({ reason, message, line }: BrokenFeed, { accepted, rejected }: FeedTally): ServiceError {
  const code = reason === "feed_too_large" ? "payload_too_large" : "invalid_request";
  return new ServiceError(code, `${message} Products taken before it: ${accepted}.`, {
    param: "body",
    details: { reason, ...(line !== undefined && { line }), accepted, rejected },
  });
}

const noSuchEncoding = (encoding: string): ServiceError =>
  new ServiceError("unsupported_media_type", `Content-Encoding "${encoding.slice(0, 40)}" is not accepted; use gzip.`, {
    param: "content_encoding",
  });

/** An empty file is far more often an export that failed than a wish to archive everything. */
const emptyFeed = (): ServiceError =>
  new ServiceError("invalid_request", "The feed names no product, so nothing was replaced; check the export.", {
    param: "body",
    details: { reason: "empty_feed", accepted: 0, rejected: 0 },
  });
