/** Why a line of a feed was rejected. */
export interface LineProblem {
  code:
    | "invalid_json"
    | "line_too_long"
    | "too_complex"
    | "column_count"
    | "ambiguous_price"
    | "missing_field"
    | "repeated_id"
    | "invalid_field"
    | "field_too_long";
  message: string;
}

/** One product of a feed before validation; `line` is where it begins, counted from 1. */
export type FeedLine = { line: number; fields: Record<string, unknown> } | { line: number; problem: LineProblem };

export const lineTooLong: LineProblem = { code: "line_too_long", message: "expected at most 1 MiB for one product" };

/** Why a feed was not read to its end. */
export type BreakReason =
  | "broken_gzip"
  | "broken_xml"
  | "broken_csv"
  | "compression_ratio"
  | "compute_time"
  | "feed_too_large"
  | "import_time"
  | "installation_full"
  | "interrupted"
  | "memory"
  | "no_rows"
  | "not_a_feed"
  | "product_quota"
  | "server_stopping"
  | "stalled"
  | "too_many_rows"
  | "unknown_charset"
  | "upload_too_large";

/** The feed cannot be read any further; products before `line` stay stored. */
export class BrokenFeed extends Error {
  details: Readonly<Record<string, unknown>> = {};

  constructor(
    readonly reason: BreakReason,
    message: string,
    readonly line?: number,
  ) {
    super(message);
    this.name = "BrokenFeed";
  }

  /** Adds fields to `details` of the error that the client receives. */
  withDetails(details: Readonly<Record<string, unknown>>): this {
    this.details = details;
    return this;
  }
}
