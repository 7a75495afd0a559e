import { formatMoney } from "../../../format/money";
import type { Outputs } from "../../../trpc/client";

export type Reservation = Outputs["getReservation"];
export type ReservationCalendar = Outputs["getReservationCalendar"];

type Tone = "good" | "warn" | "bad" | "neutral" | "accent";

export const STATUS_TONES: Readonly<Record<Reservation["status"], Tone>> = {
  scheduled: "accent",
  active: "good",
  ended: "neutral",
  canceled: "neutral",
};

export const TERM_TEXTS = { "30d": "30 days", "365d": "365 days" } as const;

/** A pool of GPUs: a model in a region. */
export interface Pool {
  gpu: Reservation["gpu"];
  region: Reservation["region"];
}

/** "16 × H100". */
export const gpusText = ({ gpu, count }: Pick<Reservation, "gpu" | "count">): string =>
  `${count} × ${gpu.toUpperCase()}`;

const MICROS_PER_UNIT = 1_000_000;

/** A decimal number as money: "$14,284.80". */
export const moneyText = (amount: string, currency: string): string =>
  formatMoney(Math.round(Number(amount) * MICROS_PER_UNIT), currency);

/** Whether it can be canceled free of charge as far as the record says: the server also checks that no pod has used it. */
export function isCancelable({ status, starts_at, created_at, in_use }: Reservation, now: number): boolean {
  if (status === "scheduled" && Date.parse(starts_at) > now) return true;
  return status === "active" && in_use === 0 && now - Date.parse(created_at) < HOUR_MS;
}

const HOUR_MS = 3_600_000;
