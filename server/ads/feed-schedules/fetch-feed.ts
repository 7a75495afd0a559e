import type { Pool } from "pg";
import type { Network } from "../../engines/guarded-fetch";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { unseal } from "../../kernel/secrets";
import { BrokenFeed } from "../products/feed-line";
import { FeedTally } from "../products/feed-tally";
import { runImport } from "../products/run-import";
import { downloadFeed, type FeedResponse } from "./download-feed";
import { type LastFetch, type LastImport, passwordContext } from "./feed-schedule";
import { type ClaimedFeed, countLive, endFetch, lostClaims, releaseClaim } from "./feed-schedule.sql";
import type { FeedScheduleCtx } from "./feed-schedule-ctx";
import { FetchFailure } from "./fetch-failure";
import type { FetchLimits } from "./fetch-limits";
import { afterFailure, afterSuccess, FAILURES_MAX } from "./fetch-times";
import { fetchedBytes } from "./fetched-bytes";

/** A feed with fewer lines than this share of the campaign's products is more likely a failed export. */
const KEPT_SHARE_MIN = 0.5;
const NOT_MODIFIED = 304;

export interface FetchCtx extends Pick<FeedScheduleCtx, "imports" | "itemsMax" | "encryptionKey" | "publicUrl"> {
  sql: Pool;
  clock: Clock;
  limits: FetchLimits;
  /** By default the public internet. */
  network?: Network | undefined;
}

export interface FetchOrder {
  feed: ClaimedFeed;
  tenantId: string;
  /** Stops the fetch. If the reason is a BrokenFeed with `server_stopping`, the feed stays due. */
  signal: AbortSignal;
}

/** What a fetch did, as far as it came. */
interface Progress {
  status: number | null;
  response?: FeedResponse | undefined;
  tally?: FeedTally | undefined;
  removed: number;
  removalSkipped: LastImport["removal_skipped"];
}

/**
 * Fetches and imports a claimed feed, whose import slot the caller holds, and stores the result and the time of the next
 * fetch. Does not throw for a failure of the shop's server or of the feed.
 */
export async function fetchFeed(ctx: FetchCtx, order: FetchOrder): Promise<void> {
  const startedAt = ctx.clock.now();
  const progress: Progress = { status: null, removed: 0, removalSkipped: null };
  let failure: { code: string; message: string } | undefined;
  try {
    await attempt(ctx, order, progress);
  } catch (cause) {
    if (isStopped(cause, order.signal)) return releaseClaim(ctx.sql, order.feed);
    failure = causeOf(cause);
    if (cause instanceof FetchFailure) progress.status ??= cause.status;
    // Neither the feed nor the shop's server: the log gets it, and the tenant a failure without its text.
    if (!failure) {
      await end(ctx, order, { startedAt, progress, failure: INTERNAL });
      throw cause;
    }
  } finally {
    progress.response?.close();
  }
  await end(ctx, order, { startedAt, progress, failure });
}

const INTERNAL = { code: "internal", message: "The import failed on the server; it will be retried." };

/** An aborted signal breaks the connection, so any error may be its consequence. */
const isStopped = (cause: unknown, { aborted }: AbortSignal): boolean =>
  aborted || (cause instanceof BrokenFeed && cause.reason === "server_stopping");

function causeOf(cause: unknown): { code: string; message: string } | undefined {
  if (cause instanceof FetchFailure) return { code: cause.code, message: cause.message };
  if (cause instanceof BrokenFeed) {
    const at = cause.line === undefined ? "" : `Line ${cause.line}: `;
    return { code: cause.reason, message: `${at}${cause.message}` };
  }
  if (cause instanceof ServiceError && cause.details?.reason === "empty_feed") {
    const { code, message } = nothingImported(0);
    return { code, message };
  }
  return undefined;
}

async function attempt(ctx: FetchCtx, { feed, tenantId, signal }: FetchOrder, progress: Progress): Promise<void> {
  if (feed.wasKilled && feed.failures >= FAILURES_MAX) throw crashed();
  const { limits, network } = ctx;
  const authorization = authorizationOf(ctx.encryptionKey, feed);
  const { url, etag, lastModified, campaignId } = feed;
  const userAgent = `svc-feeds (+${ctx.publicUrl})`;
  const response = await downloadFeed(
    { url, etag, lastModified, authorization, userAgent },
    { limits, network, signal },
  );
  progress.status = response?.status ?? NOT_MODIFIED;
  if (!response) return;
  progress.response = response;
  const replaces = feed.removeMissing && response.isDelimited;
  if (feed.removeMissing && !replaces) progress.removalSkipped = "unknown_length";
  const tally = new FeedTally(ctx, { tenantId, campaignId, replaces });
  progress.tally = tally;
  const imports = { ...ctx.imports, limits: { ...ctx.imports.limits, totalMs: limits.totalMs } };
  const { format, charset, isGzip, body } = response;
  const mayArchive = async () => {
    if ((await lostClaims(ctx.sql, [feed])).size > 0) throw stopped();
    if (tally.accepted === 0) return false;
    // Counted after the import, so that new products are on both sides.
    const isFull = tally.accepted + tally.rejected >= KEPT_SHARE_MIN * (await countLive(ctx.sql, campaignId));
    if (!isFull) progress.removalSkipped = "too_few_products";
    return isFull;
  };
  const bytes = fetchedBytes(body, { ...limits, sentBytesMax: imports.limits.sentBytesMax });
  const feedImport = { campaignId, body: bytes, format, charset, isGzip, replaces, mayArchive, signal, tally };
  progress.removed = await runImport({ ...ctx, imports }, feedImport);
  if (tally.accepted === 0) throw nothingImported(tally.rejected);
}

function authorizationOf(key: Buffer, feed: ClaimedFeed): string | undefined {
  const { campaignId, url, username, sealedPassword } = feed;
  if (username === null || sealedPassword === null) return undefined;
  const password = unseal(key, sealedPassword, passwordContext(campaignId, url));
  if (password === undefined) {
    throw new FetchFailure("credentials_unreadable", "The stored password cannot be decrypted; set it again.");
  }
  return `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
}

interface Ended {
  startedAt: Date;
  progress: Progress;
  failure: { code: string; message: string } | undefined;
}

async function end({ sql, clock }: FetchCtx, { feed }: FetchOrder, ended: Ended): Promise<void> {
  const { startedAt, progress, failure } = ended;
  const now = clock.now();
  const { response } = progress;
  const { intervalHours } = feed;
  const lastFetch: LastFetch = {
    started_at: startedAt.toISOString(),
    finished_at: now.toISOString(),
    outcome: failure ? "failed" : response ? "imported" : "not_modified",
    status: progress.status,
    error: failure ?? null,
  };
  const failures = failure ? feed.failures + 1 : 0;
  const nextFetchAt = failure ? afterFailure(now, { failures, intervalHours }) : afterSuccess(startedAt, intervalHours);
  const validators = validatorsOf(progress, failure !== undefined);
  await endFetch(sql, feed, {
    now,
    nextFetchAt,
    failures,
    lastFetch,
    lastImport: lastImportOf(ended, now),
    validators,
  });
}

/** A partial import changed products, so the validators of the import before it no longer describe them. */
function validatorsOf({ response, tally }: Progress, isFailed: boolean) {
  if (!isFailed) return response && { etag: response.etag, lastModified: response.lastModified };
  return tally && tally.accepted > 0 ? { etag: null, lastModified: null } : undefined;
}

function lastImportOf({ progress, failure }: Ended, now: Date): LastImport | undefined {
  const { tally, removed, removalSkipped } = progress;
  const isRead = tally && tally.accepted + tally.rejected > 0;
  if (!isRead) return undefined;
  const complete = failure === undefined || failure.code === "no_valid_products";
  const removal = { removed, removal_skipped: complete ? removalSkipped : null };
  return { finished_at: now.toISOString(), complete, ...removal, ...tally.result() };
}

const crashed = () =>
  new BrokenFeed("interrupted", "The server stopped unexpectedly during the last fetches of this feed.");

const stopped = () => new BrokenFeed("server_stopping", "The schedule was changed.");

const nothingImported = (rejected: number) =>
  rejected === 0
    ? new FetchFailure("empty_feed", "The feed contains no products; check the export.")
    : new FetchFailure("no_valid_products", "No line of the feed is a valid product; check the URL and the format.");
