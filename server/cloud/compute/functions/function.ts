import { z } from "zod";
import type { CloudFunction as FunctionRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { exactJson, parseExact } from "../../../kernel/exact-number";
import { toWire } from "../../../kernel/to-wire";
import { CodeEnv } from "../workers/code-env";
import { type FunctionRuntime, RUNTIMES, type RunsIn } from "./function-runner";
import { payloadText } from "./payload";
import { FunctionSchedule, nextTime } from "./schedule";

export const FUNCTION_ID_PREFIX = "fnc";

/** A function without its code. */
export const CloudFunction = z
  .object({
    id: z.string().meta({ examples: ["fnc_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    runtime: z.enum(RUNTIMES),
    backend: z.enum(["workerd", "pods"]),
    image: z.string().nullable().describe("The container image of its pods; null for workerd"),
    memory_mb: z.int().nullable().describe("Of its pods; null for workerd"),
    version: z.int().describe("The number of the version that is called, from 1"),
    env: CodeEnv.describe("What the code finds in `context.env`: texts, and references to secrets"),
    timeout_ms: z.int(),
    concurrency_max: z.int().describe("How many invocations run at once"),
    schedule: FunctionSchedule.nullable().describe("When svc calls the function; null: never"),
    next_run_at: z.iso.datetime().nullable().describe("The next time of the schedule"),
    retries_max: z.int().describe("How often an invocation that no client waits for runs again after it failed"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Function" });
export type CloudFunction = z.infer<typeof CloudFunction>;

export const toFunction = (row: FunctionRow): CloudFunction =>
  toWire(CloudFunction, row, {
    runtime: row.runtime as FunctionRuntime,
    backend: row.image === null ? "workerd" : "pods",
    env: row.env as CodeEnv,
    schedule: row.schedule === null ? null : (parseExact(row.schedule) as FunctionSchedule),
  });

/**
 * The columns of the schedule of a function from a time on. Throws `invalid_request` for a payload that the function
 * cannot read.
 */
export function scheduleFields(schedule: FunctionSchedule | null, now: Date, fn: Pick<RunsIn, "runtime">) {
  if (!schedule) return { schedule: null, nextRunAt: null };
  payloadText(schedule.payload, fn, "schedule.payload");
  return { schedule: exactJson(schedule), nextRunAt: nextTime(schedule, now) };
}

export const functionTarget = targetOf("function");

/** The same error for a function that does not exist and for one that the caller may not see. */
export const noSuchFunction = (asked: string): ServiceError =>
  new ServiceError("not_found", `No function has the id or name "${asked.slice(0, 80)}".`);
