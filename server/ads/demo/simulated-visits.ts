import type { SeededStream } from "./seeded-stream";
import { SIMULATED_CHANNELS_OF_DEMO } from "./simulated-site";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Requests on a day of average traffic. */
const REQUESTS_PER_DAY = 300;
/** Sunday first: readers come on working days. */
const WEEKDAYS = [0.74, 1.02, 1.08, 1.1, 1.05, 0.96, 0.7];
/** By hour of UTC: Europe's day and evening, then America's. */
const HOURS = [6, 4, 3, 2, 2, 3, 5, 8, 12, 14, 15, 15, 16, 17, 18, 19, 19, 20, 21, 21, 19, 16, 12, 9];
const HOURS_SUM = HOURS.reduce((sum, weight) => sum + weight, 0);
/** Traffic grows by this share within 30 days. */
const GROWTH = 0.35;
/** On this day an article was widely shared. */
const BUSY_DAY = 19;
const BUSY = 1.5;

const PLACES = [
  { geo: "US", locale: "en-US", weight: 44 },
  { geo: "GB", locale: "en-GB", weight: 21 },
  { geo: "DE", locale: "en-GB", weight: 13 },
  { geo: "CA", locale: "en-US", weight: 9 },
  { geo: "FR", locale: "en-GB", weight: 7 },
  { geo: "", locale: "en-US", weight: 6 },
];
const DEVICES = [
  { device: "mobile", weight: 57 },
  { device: "desktop", weight: 37 },
  { device: "tablet", weight: 6 },
];

/** A request of a simulated visitor. */
export interface Visit {
  atMs: number;
  /** The slug and the placement of the channel. */
  slug: string;
  placement: string;
  geo: string;
  locale: string;
  device: string;
}

/** The visits of a UTC day in order of time; `index` is the day's place in the simulation. */
export function visitsOf(dayMs: number, index: number, stream: SeededStream): Visit[] {
  const weekday = WEEKDAYS[new Date(dayMs).getUTCDay()] ?? 1;
  const growth = 1 + GROWTH * (index / 30 - 0.5);
  const mean = REQUESTS_PER_DAY * weekday * growth * stream.between(0.93, 1.07) * (index === BUSY_DAY ? BUSY : 1);
  return HOURS.flatMap((weight, hour) => {
    const count = Math.floor((mean * weight) / HOURS_SUM + stream.between(0, 1.6));
    return Array.from({ length: count }, () => visitAt(dayMs + hour * HOUR_MS, stream));
  }).sort((a, b) => a.atMs - b.atMs);
}

function visitAt(hourMs: number, stream: SeededStream): Visit {
  const atMs = Math.floor(hourMs + stream.number() * HOUR_MS);
  const { slug, placement } = stream.pick(SIMULATED_CHANNELS_OF_DEMO);
  const { geo, locale } = stream.pick(PLACES);
  return { atMs, slug, placement, geo, locale, device: stream.pick(DEVICES).device };
}

/** The UTC days that a period touches; it begins at midnight. */
export const daysOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }): { dayMs: number; index: number }[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / DAY_MS) }, (_, index) => ({
    dayMs: fromMs + index * DAY_MS,
    index,
  }));
