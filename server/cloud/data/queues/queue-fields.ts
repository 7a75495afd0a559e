import { z } from "zod";
import { IdText, ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";

/** The limits and defaults that the specification does not give are those of Amazon SQS. */
export const VISIBILITY_TIMEOUT_SECONDS_MAX = 43_200;
export const DELAY_SECONDS_MAX = 900;
export const QUEUE_DEFAULTS = { visibilityTimeoutSeconds: 30, retentionSeconds: 345_600, maxReceives: 5 } as const;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const DURATION = /^(\d{1,5})([smh])$/;

export const visibilityTimeoutSeconds = z.int().min(0).max(VISIBILITY_TIMEOUT_SECONDS_MAX);

const QueueName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,80}$/, "expected 1 to 80 characters of A-Z a-z 0-9 . _ -")
  .refine((name) => !name.startsWith("que_"), 'must not begin with "que_", as ids of queues do');

/** The settings of a queue that a client sends, without defaults. */
export const queueFields = {
  name: QueueName.describe("Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -`"),
  visibility_timeout_s: visibilityTimeoutSeconds
    .optional()
    .describe("How long a received message is invisible to other consumers, in seconds: 0 to 43,200, default 30"),
  visibility_timeout: z
    .string()
    .regex(DURATION, 'expected a duration such as "30s", "5m" or "12h"')
    .refine((text) => secondsOf(text) <= VISIBILITY_TIMEOUT_SECONDS_MAX, "expected at most 12h")
    .optional()
    .describe("The same as a duration, such as `30s`, `5m` or `12h`; give one of the two"),
  dlq: IdText.describe(
    "The dead-letter queue, by the id or name of a queue of the same project and mode: messages move there after `max_receives`",
  ),
  max_receives: z.int().min(1).max(1000).describe("How often a message is received before it moves to `dlq`"),
  retention_s: z
    .int()
    .min(60)
    .max(1_209_600)
    .describe("How long a message is kept that is not acknowledged, in seconds: 1 minute to 14 days"),
};

/** The part of a request that names a queue. */
export const queueChoice = {
  q: IdText.min(1).describe("The id or name of the queue"),
  mode: ModeName.optional().describe(
    "The mode in which a person's request finds the name (default: test); a key always uses its own mode",
  ),
  project: IdText.optional().describe(
    "The project in which a person's request finds the name (default: the first project), by id or name; a key always uses its own project",
  ),
};
export type QueueChoice = { q: string; mode?: "test" | "live" | undefined; project?: string | undefined };

/** The requested visibility timeout in seconds, if any. Throws `invalid_request` if both forms are given. */
export function visibilityTimeoutOf(input: {
  visibility_timeout_s?: number | undefined;
  visibility_timeout?: string | undefined;
}): number | undefined {
  const { visibility_timeout_s: seconds, visibility_timeout: text } = input;
  if (text === undefined) return seconds;
  if (seconds === undefined) return secondsOf(text);
  throw new ServiceError(
    "invalid_request",
    "visibility_timeout: the request has visibility_timeout_s too; send one of the two.",
    { param: "visibility_timeout" },
  );
}

function secondsOf(text: string): number {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  return Number(count) * (UNIT_SECONDS[unit] ?? 0);
}
