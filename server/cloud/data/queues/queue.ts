import { z } from "zod";
import type { Queue as QueueRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";
import type { QueueFigures, QueueRef } from "../queue-log/queue-engine";

export const QUEUE_ID_PREFIX = "que";
const SECOND_MS = 1000;

/** A queue's settings. */
export const Queue = z
  .object({
    id: z.string().meta({ examples: ["que_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    visibility_timeout_s: z
      .int()
      .describe("How long a received message is invisible to other consumers, unless it is acknowledged before"),
    retention_s: z.int().describe("How long a message is kept that is not acknowledged"),
    max_receives: z.int().describe("How often a message is received before it moves to the dead-letter queue"),
    dlq: z
      .string()
      .nullable()
      .describe("The name of the dead-letter queue; null: a message is delivered until its retention ends"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Queue" });
export type Queue = z.infer<typeof Queue>;

export const QueueWithFigures = Queue.extend({
  figures: z.object({
    waiting: z
      .int()
      .describe("Messages that can be received now, or as soon as those before them in their group are done"),
    delayed: z.int().describe("Messages whose delay has not ended"),
    in_flight: z.int().describe("Received messages that are neither acknowledged nor visible again"),
    oldest_age_s: z.int().nullable().describe("The age of the oldest message; null when the queue is empty"),
  }),
}).meta({ id: "QueueWithFigures" });
export type QueueWithFigures = z.infer<typeof QueueWithFigures>;

/** A stored queue with its dead-letter queue. */
export type StoredQueue = QueueRow & { dlq: QueueRow | null };

export const toQueue = (row: QueueRow & { dlq: Pick<QueueRow, "name"> | null }): Queue =>
  toWire(Queue, row, {
    visibility_timeout_s: row.visibilityTimeoutSeconds,
    retention_s: row.retentionSeconds,
    dlq: row.dlq?.name ?? null,
  });

/** The queue in the form of its engine, which needs a dead-letter queue but not the queues behind that. */
export const refOf = ({ dlq = null, ...row }: QueueRow & { dlq?: QueueRow | null }): QueueRef => ({
  id: row.id,
  visibilityTimeoutMs: row.visibilityTimeoutSeconds * SECOND_MS,
  retentionMs: row.retentionSeconds * SECOND_MS,
  maxReceives: row.maxReceives,
  ...(dlq && { dlq: refOf(dlq) }),
});

export const figuresOf = (figures: QueueFigures, now: Date): QueueWithFigures["figures"] => ({
  waiting: figures.waiting,
  delayed: figures.delayed,
  in_flight: figures.inFlight,
  oldest_age_s: figures.oldestAt
    ? Math.max(0, Math.floor((now.getTime() - figures.oldestAt.getTime()) / SECOND_MS))
    : null,
});

export const queueTarget = targetOf("queue");

/** The same error for a queue that does not exist and for one that the caller may not see. */
export const noSuchQueue = (asked: string, param?: string): ServiceError =>
  new ServiceError("not_found", `No queue has the id or name "${asked.slice(0, 80)}".`, param ? { param } : {});

/** Where a queue belongs. */
export const ownerOf = ({ tenantId, projectId, mode }: Omit<StoredQueue, "dlq">) => ({ tenantId, projectId, mode });
