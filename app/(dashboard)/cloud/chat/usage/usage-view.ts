import { formatDay, formatTime } from "../../../../format/dates";
import type { ChatUsage } from "../wire";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the plots can show: a period, and the length of a step in it. */
export const PERIODS = [
  { value: "24h", label: "24 hours", text: "the last 24 hours", ms: DAY_MS, step: "hour" },
  { value: "7d", label: "7 days", text: "the last 7 days", ms: 7 * DAY_MS, step: "day" },
  { value: "30d", label: "30 days", text: "the last 30 days", ms: 30 * DAY_MS, step: "day" },
] as const;
export type Period = (typeof PERIODS)[number];

export const periodOf = (text: string | null): Period => PERIODS.find(({ value }) => value === text) ?? PERIODS[0];

const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const;

/** The start of the period's first whole hour or day in UTC. */
export const startOf = ({ ms, step }: Period, now: Date): string =>
  new Date(Math.floor((now.getTime() - ms) / STEP_MS[step] + 1) * STEP_MS[step]).toISOString();

export interface UsagePoint {
  /** The start of the hour or day. */
  x: string;
  requests: number;
  errors: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_micros: number;
  p50: number;
  p95: number;
}

/** One point for each step up to now; steps without requests, which the API leaves out, are zero. */
export function pointsOf({ data }: Pick<ChatUsage, "data">, period: Period, now: Date): UsagePoint[] {
  const size = STEP_MS[period.step];
  const rows = new Map(data.map((row) => [Date.parse(row.hour ?? `${row.day}T00:00:00Z`), row]));
  const first = Date.parse(startOf(period, now));
  return Array.from({ length: Math.floor((now.getTime() - first) / size) + 1 }, (_, step) => {
    const row = rows.get(first + step * size);
    return {
      x: new Date(first + step * size).toISOString(),
      requests: row?.requests ?? 0,
      errors: row?.errors ?? 0,
      prompt_tokens: row?.prompt_tokens ?? 0,
      completion_tokens: row?.completion_tokens ?? 0,
      cost_micros: row?.cost_micros ?? 0,
      p50: row?.latency_ms.p50 ?? 0,
      p95: row?.latency_ms.p95 ?? 0,
    };
  });
}

/** "14:00" in the reader's time zone, or "20 Nov", a day in UTC. */
export const pointText = (x: string, { step }: Period, timezone: string): string =>
  step === "hour" ? formatTime(x, timezone) : formatDay(x.slice(0, 10));
