import { EXAMPLE_TIME } from "../../../operation/example";
import type { MetricsSummary } from "./metrics-summary";

export const metricsSummaryExample: MetricsSummary = {
  from: EXAMPLE_TIME,
  to: "2026-11-21T09:00:00.000Z",
  mode: "test",
  currency: "USD",
  pods: { running: 2, waiting: 1, gpus: 8, runs_started: 3, runs_ended: 1, seconds: 90_000, gpu_seconds: 691_200 },
  chat: {
    requests: 1204,
    errors: 3,
    cached: 96,
    prompt_tokens: 496_048,
    completion_tokens: 223_944,
    cost_micros: 208_773.6,
    latency_ms: { p50: 1890, p95: 4210 },
    first_byte_ms: { p50: 305, p95: 720 },
  },
  queues: { sent: 15_000, received: 15_020, acknowledged: 14_990, messages: 10 },
  storage: { buckets: 2, objects: 5210, bytes: 7_340_032_000 },
  webhooks: { succeeded: 310, failed: 0, pending: 1 },
};
