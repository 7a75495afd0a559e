import type { Demo } from "./ads/demo/open-demo";
import type { Config } from "./config";
import type { MetricsSnapshot } from "./surfaces/http/metrics";

/** What a web process sends to the supervising process. */
export type FromWebProcess =
  /** It listens for messages and waits for its configuration. */
  | { kind: "waiting" }
  /** It handles requests. */
  | { kind: "ready"; demo: Demo | undefined }
  | { kind: "read_metrics" }
  | { kind: "metrics"; metrics: MetricsSnapshot };

/** What the supervising process sends to a web process. */
export type ToWebProcess =
  | { kind: "start"; config: Config }
  | { kind: "read_metrics" }
  | { kind: "all_metrics"; metrics: MetricsSnapshot[] };
