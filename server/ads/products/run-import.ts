import { inTransaction } from "../../engines/postgres/in-transaction";
import { ServiceError } from "../../kernel/errors";
import { endImport } from "../imports/import-marks";
import type { FeedFormat } from "./feed-format";
import type { FeedTally } from "./feed-tally";
import { readOnThread } from "./feed-thread";
import type { ProductCtx } from "./product-ctx";
import { archiveAbsentProducts } from "./products.sql";
import { SeenIds } from "./seen-ids";
import { interrupted } from "./sent-bytes";

type ImportCtx = Pick<ProductCtx, "sql" | "clock"> & { imports: Pick<ProductCtx["imports"], "workerFile" | "limits"> };

export interface FeedImport {
  campaignId: string;
  body: ReadableStream<Uint8Array>;
  /** If undefined, the format is detected from the first characters. */
  format: FeedFormat | undefined;
  /** The charset of the Content-Type. */
  charset: string | undefined;
  isGzip: boolean;
  /** Archives products that are not in the feed, after the whole feed was read. */
  replaces: boolean;
  /** Called after the whole feed was read: false leaves the products that are not in it. */
  mayArchive?: () => Promise<boolean>;
  /** Stops the import immediately, except for archiving. */
  signal: AbortSignal;
  /** Stores and counts the lines; it has those before an error too. */
  tally: FeedTally;
}

/**
 * Reads a feed into a campaign, whose import slot the caller holds. Returns the number of archived products. Throws
 * BrokenFeed for a feed that was not read to its end, and `invalid_request` (`empty_feed`) instead of replacing all
 * products by none; then nothing is archived.
 */
export async function runImport(ctx: ImportCtx, feed: FeedImport): Promise<number> {
  const { campaignId, tally } = feed;
  try {
    const { startedAt, seen } = await readWhole(ctx, feed);
    const isReplaced = seen !== undefined && (!feed.mayArchive || (await feed.mayArchive()));
    // In one transaction, so that servers go from all old products to all new ones.
    return await inTransaction(ctx.sql, async (client) => {
      if (tally.hasStored) await endImport(client, campaignId);
      if (!isReplaced) return 0;
      const archived = { campaignId, startedAt, now: ctx.clock.now() };
      return archiveAbsentProducts(client, archived, (externalId) => seen.has(externalId));
    });
  } catch (cause) {
    // The mark of an import that cannot be ended now is ended by each process that serves the campaign (`endDeadImports`).
    if (tally.hasStored) await endImport(ctx.sql, campaignId).catch(() => undefined);
    throw cause;
  }
}

/** Reads and stores a feed. Returns when the import started, and if it replaces products the ids of the feed. */
async function readWhole(
  ctx: ImportCtx,
  { body, format, charset, isGzip, replaces, signal, tally }: FeedImport,
): Promise<{ startedAt: Date; seen: SeenIds | undefined }> {
  const { workerFile, limits } = ctx.imports;
  const startedAt = ctx.clock.now();
  const order = { format, charset, isGzip, remembersIds: replaces, now: startedAt, limits };
  const store = (batch: Parameters<FeedTally["store"]>[0]) => tally.store(batch);
  const ids = await readOnThread(body, { workerFile, order, limits, signal, store });
  if (signal.aborted) throw interrupted();
  if (replaces && tally.accepted + tally.rejected === 0) throw emptyFeed();
  return { startedAt, seen: replaces ? new SeenIds(ids) : undefined };
}

/** An empty file is usually a failed export, not an intention to archive everything. */
const emptyFeed = (): ServiceError =>
  new ServiceError("invalid_request", "The feed contains no products, so nothing was replaced; check the export.", {
    param: "body",
    details: { reason: "empty_feed", accepted: 0, rejected: 0 },
  });
