import type { CapacityCalendar } from "./capacity-calendar";

const DAY_MS = 24 * 3600 * 1000;

/**
 * After the end of a reservation or of a pod's lifetime its GPUs count as used for another minute: processes have 30
 * seconds between the stop signal and SIGKILL.
 */
export const TURNAROUND_MS = 60_000;

/**
 * How many GPUs of a pool on-demand pods can have from now on for a lifetime, in days (30 for a new pod), without
 * keeping a reservation from its start.
 */
export const freeForOnDemand = (calendar: CapacityCalendar, now: Date, lifetimeDays: number): number =>
  Math.max(0, calendar.minFree(now.getTime(), now.getTime() + lifetimeDays * DAY_MS + TURNAROUND_MS));
