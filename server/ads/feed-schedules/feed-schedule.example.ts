import { EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { FeedSchedule } from "./feed-schedule";

export const feedScheduleExample: FeedSchedule = {
  campaign_id: exampleId("cmp"),
  url: "https://shop.example/feeds/google.xml",
  interval: "24h",
  remove_missing: true,
  username: null,
  status: "active",
  fetching: false,
  next_fetch_at: "2026-11-22T09:00:00.000Z",
  consecutive_failures: 0,
  last_fetch: {
    started_at: "2026-11-21T09:00:00.000Z",
    finished_at: "2026-11-21T09:00:04.000Z",
    outcome: "imported",
    status: 200,
    error: null,
  },
  last_import: {
    finished_at: "2026-11-21T09:00:04.000Z",
    complete: true,
    removed: 3,
    removal_skipped: null,
    accepted: 1199,
    rejected: 1,
    errors: [{ line: 2, id: "TR3-42", code: "missing_field", message: "link: this field is required." }],
  },
  ...EXAMPLE_TIMES,
};
