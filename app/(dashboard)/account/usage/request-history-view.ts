import { dayOf, formatDay, formatTime } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";

export type RequestHistory = Outputs["getRequestCounts"];
export type Interval = RequestHistory["interval"];
export type UsedKey = RequestHistory["keys"][number];

export const INTERVALS: readonly { interval: Interval; label: string; period: string }[] = [
  { interval: "day", label: "30 days", period: "the last 30 days" },
  { interval: "hour", label: "48 hours", period: "the last 48 hours" },
];

/** The status classes that responses are counted by. */
export const STATUS_COLUMNS = [
  { key: "status_2xx", short: "2xx", label: "Successful (2xx)" },
  { key: "status_4xx", short: "4xx", label: "Client errors (4xx)" },
  { key: "status_429", short: "429", label: "Rate limited (429)" },
  { key: "status_5xx", short: "5xx", label: "Server errors (5xx)" },
] as const;

export const intervalOf = (text: string | null): Interval => (text === "hour" ? "hour" : "day");

/** "20 Nov" of a day, which is one of UTC, and "20 Nov 14:00" of an hour in the reader's time zone. */
export function startText(start: string, interval: Interval, timezone: string): string {
  if (interval === "day") return formatDay(start.slice(0, 10));
  return `${formatDay(dayOf(new Date(start), timezone))} ${formatTime(start, timezone)}`;
}

const KINDS: Record<UsedKey["kind"], string> = {
  platform: "platform key",
  server: "server key",
  browser: "browser key",
};

export const kindText = ({ kind, revoked_at }: Pick<UsedKey, "kind" | "revoked_at">): string =>
  revoked_at === null ? KINDS[kind] : `${KINDS[kind]}, revoked`;

/** "Nightly import …q7vd"; channel keys have the name of their channel. */
export const keyText = ({ id, name, last_four }: Pick<UsedKey, "id" | "name" | "last_four">): string =>
  name === null ? id : `${name} …${last_four}`;
