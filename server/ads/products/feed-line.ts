/** Why one line of a feed was not taken. */
export interface LineProblem {
  code: "invalid_json" | "line_too_long" | "column_count" | "missing_field" | "invalid_field" | "field_too_long";
  message: string;
}

/** One product of a feed before it is checked; `line` is where it begins, counted from 1. */
export type FeedLine = { line: number; fields: Record<string, unknown> } | { line: number; problem: LineProblem };

/** One product may take this many bytes in a feed. */
export const LINE_BYTES_MAX = 1024 * 1024;

export const lineTooLong: LineProblem = { code: "line_too_long", message: "expected at most 1 MiB for one product" };

/** The feed cannot be read any further; products before `line` stay taken. */
export class BrokenFeed extends Error {
  constructor(
    readonly reason: "broken_gzip" | "broken_xml" | "broken_csv" | "feed_too_large" | "interrupted",
    message: string,
    readonly line?: number,
  ) {
    super(message);
    this.name = "BrokenFeed";
  }
}
