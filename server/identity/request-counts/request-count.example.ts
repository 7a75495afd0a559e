import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { RequestCount, RequestCounts } from "./request-count";

const counts: RequestCount = {
  requests: 1200,
  errors: 24,
  status_2xx: 1176,
  status_4xx: 18,
  status_429: 5,
  status_5xx: 1,
};

export const requestCountsExample: RequestCounts = {
  from: EXAMPLE_TIME,
  to: "2026-11-20T10:00:00.000Z",
  interval: "hour",
  mode: "live",
  rows: [{ start: EXAMPLE_TIME, ...counts }],
  totals: counts,
  keys: [
    {
      id: exampleId("key"),
      kind: "platform",
      name: "ci",
      project_id: exampleId("prj"),
      channel_id: null,
      last_four: "q7vd",
      revoked_at: null,
      ...counts,
    },
  ],
  keys_total: 1,
};
