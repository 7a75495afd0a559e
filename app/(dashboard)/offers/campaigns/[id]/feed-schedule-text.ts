import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";

export type FeedSchedule = Outputs["setFeedSchedule"];
export type LastImport = NonNullable<FeedSchedule["last_import"]>;
export type Interval = FeedSchedule["interval"];

/** A fetch that was requested begins at the latest a minute after the last one. */
const SOON_MS = 60_000;

export const INTERVAL_TEXTS: Record<Interval, string> = {
  "1h": "Every hour",
  "6h": "Every 6 hours",
  "24h": "Every 24 hours",
};

export const intervalText = (interval: Interval): string => INTERVAL_TEXTS[interval];

/** Whether a fetch runs, or begins within a minute: the page then follows it. */
export const isFetchExpected = ({ fetching, next_fetch_at }: FeedSchedule, now: Date): boolean =>
  fetching || (next_fetch_at !== null && Date.parse(next_fetch_at) - now.getTime() <= SOON_MS);

/** The result of the last fetch in a sentence; empty if there was none. */
export function fetchText({ last_fetch, last_import }: FeedSchedule): string {
  if (!last_fetch) return "";
  if (last_fetch.outcome === "failed") return `The last fetch failed. ${last_fetch.error?.message ?? ""}`.trim();
  if (last_fetch.outcome === "not_modified") return "The feed has not changed since the last import.";
  return last_import ? importText(last_import) : "";
}

/** "1,199 products imported, 1 rejected, 3 removed." and why missing products were kept. */
export function importText({ accepted, rejected, removed, removal_skipped }: LastImport): string {
  const counts = [
    `${formatCount(accepted)} ${accepted === 1 ? "product" : "products"} imported`,
    ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
  ];
  return [`${counts.join(", ")}.`, ...(removal_skipped ? [KEPT[removal_skipped]] : [])].join(" ");
}

const KEPT: Record<NonNullable<LastImport["removal_skipped"]>, string> = {
  too_few_products:
    "Missing products were kept, because the feed has less than half as many as the campaign. If that is right, upload the feed and replace the whole feed.",
  unknown_length:
    "Missing products were kept, because the server sends neither a Content-Length nor chunks: the feed may be incomplete.",
};
