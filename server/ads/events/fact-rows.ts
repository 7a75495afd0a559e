/** One row of a ClickHouse table, with its column names. */
export type FactRow = Record<string, string | number | readonly string[]>;
export type FactTable = "requests" | "offers" | "impressions" | "clicks" | "conversions";

/** DateTime64(3) expects a space and no zone. */
export const clickhouseTime = (ms: number): string => new Date(ms).toISOString().replace("T", " ").slice(0, 23);
