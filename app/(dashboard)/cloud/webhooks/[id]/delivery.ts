import { formatRelativeTime } from "../../../../format/dates";
import type { Outputs } from "../../../../trpc/client";

export type Delivery = Outputs["listWebhookDeliveries"]["data"][number];
export type DeliveryDetails = Outputs["getWebhookDelivery"];
export type Attempt = DeliveryDetails["attempts"][number];

export const DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;

export const DELIVERY_TONES = { pending: "warn", succeeded: "good", failed: "bad" } as const;

/** "84 ms", "9.98 s". */
export const latencyText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`);

const MINUTE_MS = 60_000;

/** "in 9 minutes", "within a minute". */
export const nextAttemptText = (at: string, now = new Date()): string =>
  new Date(at).getTime() - now.getTime() < MINUTE_MS ? "within a minute" : formatRelativeTime(at, now);

type Result = Pick<Delivery, "last_status_code" | "last_error" | "attempt_count">;

/** What came of the last attempt, in a few words; an error that only repeats the status is left out. */
export function resultText({ last_status_code, last_error, attempt_count }: Result): string {
  if (last_status_code === null) return last_error ?? (attempt_count === 0 ? "not attempted yet" : "no response");
  const isKnown = last_error === null || last_error.includes(`status ${last_status_code}`);
  return isKnown ? String(last_status_code) : `${last_status_code}. ${last_error}`;
}
