import { z } from "zod";
import type { FunctionInvocation as InvocationRow } from "../../../engines/postgres/generated/client";
import { parseExact } from "../../../kernel/exact-number";
import { toWire } from "../../../kernel/to-wire";

export const INVOCATION_ID_PREFIX = "inv";

const LogLine = z.object({
  at: z.iso.datetime(),
  level: z.enum(["debug", "info", "warn", "error"]),
  text: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

const InvocationError = z.object({
  reason: z
    .string()
    .describe(
      "`threw`, `load_failed`, `timed_out`, `blocked` (computed too long without a pause), `out_of_memory`, `interrupted`, `response_too_large`, `invalid_result`, `no_such_secret` or `unavailable`",
    ),
  message: z.string(),
  stack: z.string().nullable(),
});
export type InvocationError = z.infer<typeof InvocationError>;

/** A call of a function, without what it printed and returned. */
export const InvocationSummary = z
  .object({
    id: z.string().meta({ examples: ["inv_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    function_id: z.string(),
    version: z.int(),
    async: z.boolean().describe("true: no client waits for the result"),
    scheduled_at: z.iso
      .datetime()
      .nullable()
      .describe("The time of the schedule that the invocation is for; null: a request caused it"),
    attempt: z.int().describe("How often it has begun; more than 1 after `retries_max` let it run again"),
    status: z.enum(["queued", "running", "succeeded", "failed"]),
    error: InvocationError.nullable().describe("Why it failed, or why its last run did if it runs again"),
    duration_ms: z.int().nullable(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "FunctionInvocationSummary" });
export type InvocationSummary = z.infer<typeof InvocationSummary>;

export const Invocation = InvocationSummary.extend({
  result: z
    .unknown()
    .describe(
      "The JSON value that the function returned; null if it failed or returned nothing, and later for an invocation whose client received it",
    ),
  logs: z.array(LogLine).describe("What the code passed to `console`: the first 65,536 characters"),
}).meta({ id: "FunctionInvocation" });
export type Invocation = z.infer<typeof Invocation>;

type Unseen = "mode" | "dueAt" | "runs" | "memoryMs" | "isCounted" | "leaseOwner" | "leaseUntil" | "leaseFence";
type SummaryRow = Omit<InvocationRow, "payload" | "result" | "logs" | Unseen>;

export const toSummary = (row: SummaryRow): InvocationSummary =>
  toWire(InvocationSummary, row, {
    async: row.isAsync,
    error: row.error === null ? null : (JSON.parse(row.error) as InvocationError),
  });

export const toInvocation = (row: Omit<InvocationRow, Unseen>): Invocation => ({
  ...toSummary(row),
  result: row.result === null ? null : parseExact(row.result),
  logs: JSON.parse(row.logs) as LogLine[],
});
