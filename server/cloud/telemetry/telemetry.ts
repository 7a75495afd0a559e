/** What a store keeps. */
export const SIGNALS = ["metric", "log", "trace"] as const;
export type Signal = (typeof SIGNALS)[number];

/** The table of each signal. */
export const TABLES = {
  metric: "metric_samples",
  log: "otel_logs",
  trace: "otel_spans",
} as const satisfies Record<Signal, string>;

/** The last part of the path of OTLP/HTTP. */
export const OTLP_PATHS: Readonly<Record<string, Signal>> = { metrics: "metric", logs: "log", traces: "trace" };

/** A row of a table without the columns that say whose it is. */
export type TelemetryFields = Record<string, string | number | readonly (string | number)[] | Record<string, string>>;

/** The records of one request; those that are refused are named by their place in it. */
export interface ParsedTelemetry {
  rows: TelemetryFields[];
  refused: number;
  /** Of the first record that was refused; undefined: none was. */
  message?: string | undefined;
}
