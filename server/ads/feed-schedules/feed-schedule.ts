import { z } from "zod";
import type { Prisma, FeedSchedule as Row } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { toWire } from "../../kernel/to-wire";
import { FeedResult } from "../products/feed-result";

const INTERVALS = { "1h": 1, "6h": 6, "24h": 24 } as const;
export const interval = z.enum(["1h", "6h", "24h"]);
type Interval = z.infer<typeof interval>;

export const hoursOf = (of: Interval): number => INTERVALS[of];
const intervalOf = (hours: number): Interval => interval.options.find((of) => hoursOf(of) === hours) ?? "24h";

const LastFetch = z.object({
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  outcome: z
    .enum(["imported", "not_modified", "failed"])
    .describe("`not_modified`: the server responded that the feed is the one of the last import"),
  status: z.int().nullable().describe("The HTTP status of the response; null if there was none"),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe("Why the fetch failed"),
});
export type LastFetch = z.infer<typeof LastFetch>;

const LastImport = FeedResult.extend({
  finished_at: z.iso.datetime(),
  complete: z.boolean().describe("Whether the feed was read to its end"),
  removed: z.int().describe("Products that were archived because they are no longer in the feed"),
  removal_skipped: z
    .enum(["too_few_products", "unknown_length"])
    .nullable()
    .describe(
      "Why missing products were kept: the feed has less than half as many lines as the campaign has products, or the response has neither a Content-Length nor chunks, so that it may be truncated",
    ),
}).meta({ id: "FeedScheduleImport" });
export type LastImport = z.infer<typeof LastImport>;

/** The URL from which svc imports a campaign's product feed, and when. */
export const FeedSchedule = z
  .object({
    campaign_id: z.string(),
    url: z.string(),
    interval: interval.describe("The time between two fetches"),
    remove_missing: z.boolean().describe("Archive products that are no longer in the feed"),
    username: z.string().nullable().describe("For HTTP basic authentication; the password is never returned"),
    status: z
      .enum(["active", "paused"])
      .describe("`paused` after 10 consecutive failures, until the schedule is set or a fetch is requested"),
    fetching: z.boolean().describe("A fetch is running"),
    next_fetch_at: z.iso.datetime().nullable().describe("Null while paused"),
    consecutive_failures: z.int(),
    last_fetch: LastFetch.nullable(),
    last_import: LastImport.nullable().describe("The last fetch that stored or rejected lines"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "FeedSchedule" });
export type FeedSchedule = z.infer<typeof FeedSchedule>;

export const feedScheduleOf = (row: Row): FeedSchedule =>
  toWire(FeedSchedule, row, {
    interval: intervalOf(row.intervalHours),
    status: row.pausedAt ? "paused" : "active",
    fetching: row.claim !== null,
    next_fetch_at: row.pausedAt ? null : row.nextFetchAt.toISOString(),
    consecutive_failures: row.failures,
    last_fetch: row.lastFetch as LastFetch | null,
    last_import: row.lastImport as LastImport | null,
  });

/** The URL without its query, which may contain a token: for the audit log. */
export const loggedUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

/** Binds a sealed password to the server that it is for. */
export const passwordContext = (campaignId: string, url: string): string =>
  `feed password ${campaignId} ${new URL(url).origin}`;

/** Returns the schedule of a campaign that the caller has found. Throws `not_found` if it has none. */
export async function scheduleOf(db: Pick<Prisma.TransactionClient, "feedSchedule">, campaignId: string): Promise<Row> {
  const row = await db.feedSchedule.findUnique({ where: { campaignId } });
  if (!row) throw noSchedule();
  return row;
}

export const noSchedule = (): ServiceError =>
  new ServiceError("not_found", "This campaign has no feed schedule; set one first.", {
    param: "id",
    details: { reason: "no_feed_schedule" },
  });
