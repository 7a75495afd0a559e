import { describe, expect, it } from "vitest";
import { type FeedSchedule, fetchText, importText, isFetchExpected, type LastImport } from "./feed-schedule-text";

const NOW = new Date("2026-11-20T08:00:00Z");
const imported: LastImport = {
  finished_at: NOW.toISOString(),
  complete: true,
  removed: 0,
  removal_skipped: null,
  accepted: 1,
  rejected: 0,
  errors: [],
};
const fetched: NonNullable<FeedSchedule["last_fetch"]> = {
  started_at: NOW.toISOString(),
  finished_at: NOW.toISOString(),
  outcome: "imported",
  status: 200,
  error: null,
};
const schedule: FeedSchedule = {
  campaign_id: "cmp_1",
  url: "https://shop.example/feed",
  interval: "24h",
  remove_missing: true,
  username: null,
  status: "active",
  fetching: false,
  next_fetch_at: "2026-11-20T09:00:00Z",
  consecutive_failures: 0,
  last_fetch: fetched,
  last_import: imported,
  created_at: NOW.toISOString(),
  updated_at: NOW.toISOString(),
};

describe("the result of a fetch", () => {
  it("states the counts, and why missing products were kept", () => {
    expect(importText(imported)).toBe("1 product imported.");
    expect(importText({ ...imported, accepted: 1200, rejected: 3, removed: 2 })).toBe(
      "1,200 products imported, 3 rejected, 2 removed.",
    );
    expect(importText({ ...imported, removal_skipped: "too_few_products" })).toContain(
      "were kept, because the feed has",
    );
  });

  it("is that of the last fetch, not of the last import", () => {
    expect(fetchText({ ...schedule, last_fetch: null })).toBe("");
    expect(fetchText(schedule)).toBe("1 product imported.");
    expect(fetchText({ ...schedule, last_fetch: { ...fetched, outcome: "not_modified" } })).toContain(
      "has not changed",
    );
    const error = { code: "http_status", message: "The server responded with status 404 instead of 200." };
    expect(fetchText({ ...schedule, last_fetch: { ...fetched, outcome: "failed", error } })).toBe(
      "The last fetch failed. The server responded with status 404 instead of 200.",
    );
  });
});

it("a fetch is expected while one runs or begins within a minute, never while paused", () => {
  expect(isFetchExpected(schedule, NOW)).toBe(false);
  expect(isFetchExpected({ ...schedule, fetching: true }, NOW)).toBe(true);
  expect(isFetchExpected({ ...schedule, next_fetch_at: "2026-11-20T08:01:00Z" }, NOW)).toBe(true);
  expect(isFetchExpected({ ...schedule, next_fetch_at: "2026-11-20T07:00:00Z" }, NOW)).toBe(true);
  expect(isFetchExpected({ ...schedule, next_fetch_at: null, status: "paused" }, NOW)).toBe(false);
});
