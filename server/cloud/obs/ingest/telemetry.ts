/** What a store keeps. */
export const SIGNALS = ["metric", "log", "trace"] as const;
export type Signal = (typeof SIGNALS)[number];

/** The table of each signal. */
export const TABLES = {
  metric: "metric_samples",
  log: "otel_logs",
  trace: "otel_spans",
} as const satisfies Record<Signal, string>;

/** The attributes that records share. */
export const RESOURCES_TABLE = "telemetry_resources";

/** The last part of the path of OTLP/HTTP. */
export const OTLP_PATHS: Readonly<Record<string, Signal>> = { metrics: "metric", logs: "log", traces: "trace" };

/** Of one request; of metrics, data points. */
export const RECORDS_MAX = 10_000;

/** A row of a table without the columns that say whose it is. */
export type TelemetryFields = Record<string, string | number | readonly (string | number)[] | Record<string, string>>;
