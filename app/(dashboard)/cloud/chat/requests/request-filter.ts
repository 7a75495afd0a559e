export const STATUSES = ["succeeded", "failed", "cancelled", "pending"] as const;
export type Status = (typeof STATUSES)[number];

export const STATUS_TONES = { succeeded: "good", failed: "bad", cancelled: "warn", pending: "neutral" } as const;

const HOUR_MS = 3_600_000;

/** The log keeps 30 days. */
export const RANGES = [
  { value: "", label: "30 days", ms: undefined },
  { value: "7d", label: "7 days", ms: 7 * 24 * HOUR_MS },
  { value: "24h", label: "24 hours", ms: 24 * HOUR_MS },
  { value: "1h", label: "hour", ms: HOUR_MS },
] as const;

export interface RequestFilter {
  status: Status | "";
  model: string;
  key: string;
  range: (typeof RANGES)[number]["value"];
}

/** The filter that an address asks for; what it does not know is left out. */
export const filterOf = (params: { get(name: string): string | null }): RequestFilter => ({
  status: STATUSES.find((status) => status === params.get("status")) ?? "",
  model: params.get("model") ?? "",
  key: params.get("key") ?? "",
  range: RANGES.find(({ value }) => value === params.get("range"))?.value ?? "",
});

/** The filter as the API takes it; the period begins on a whole minute, so that renderings within a minute ask the same. */
export function askedOf({ status, model, key, range }: RequestFilter, now: Date) {
  const ms = RANGES.find(({ value }) => value === range)?.ms;
  const from = ms && new Date(Math.floor((now.getTime() - ms) / 60_000) * 60_000).toISOString();
  return { ...(status && { status }), ...(model && { model }), ...(key && { key }), ...(from && { from }) };
}
