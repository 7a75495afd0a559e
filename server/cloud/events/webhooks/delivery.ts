import { z } from "zod";
import type {
  WebhookAttempt as AttemptRow,
  WebhookDelivery as DeliveryRow,
  Event as EventRow,
} from "../../../engines/postgres/generated/client";
import { toWire } from "../../../kernel/to-wire";
import { type EventBody, eventBodyOf } from "./event-body";

export const DeliveryStatus = z.enum(["pending", "succeeded", "failed"]);

/** One event for one webhook. */
export const Delivery = z
  .object({
    id: z.string().meta({ examples: ["dlv_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    webhook_id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    status: DeliveryStatus,
    attempt_count: z.int(),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe("The next attempt is made at this time or earlier; null when there is none"),
    retries_left: z.int(),
    last_status_code: z.int().nullable().describe("The HTTP status of the last attempt; null without a response"),
    last_error: z.string().nullable().describe("Why the last attempt failed, or why no further one is made"),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.output<typeof Delivery>;

const Attempt = z.object({
  id: z.string(),
  number: z.int().describe("1 for the first attempt"),
  started_at: z.iso.datetime(),
  latency_ms: z.int().describe("Time from the start of the attempt to its result"),
  status_code: z.int().nullable(),
  error: z.string().nullable().describe("Why the attempt failed"),
  response_body: z.string().nullable().describe("The first 64 KiB of the response, as UTF-8 text"),
});

const DeliveredEvent = z.object({
  id: z.string(),
  type: z.string(),
  created_at: z.iso.datetime(),
  tenant_id: z.string(),
  project_id: z.string().nullable().describe("Null for an event of the whole tenant"),
  mode: z.enum(["test", "live"]),
  data: z.record(z.string(), z.unknown()),
}) satisfies z.ZodType<EventBody>;

export const DeliveryWithAttempts = Delivery.extend({
  event: DeliveredEvent.describe("The body of the requests"),
  attempts: z.array(Attempt).describe("The first 100 attempts"),
}).meta({ id: "WebhookDeliveryWithAttempts" });
export type DeliveryWithAttempts = z.output<typeof DeliveryWithAttempts>;

export const toDelivery = (row: DeliveryRow): Delivery => toWire(Delivery, row, {});

export const toDeliveryWithAttempts = (
  row: DeliveryRow & { attempts: AttemptRow[] },
  event: EventRow,
): DeliveryWithAttempts => ({
  ...toDelivery(row),
  event: eventBodyOf(event),
  attempts: row.attempts.map((attempt) => ({
    id: attempt.id,
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    latency_ms: attempt.latencyMs,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_body: attempt.responseBody,
  })),
});
