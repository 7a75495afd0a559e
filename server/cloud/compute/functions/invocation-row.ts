import type { FunctionInvocation as InvocationRow } from "../../../engines/postgres/generated/client";
import type { Outcome, RunsIn } from "./function-runner";

type EndedFields = Pick<InvocationRow, "status" | "payload" | "result" | "error" | "logs" | "durationMs" | "endedAt">;

/** Failures of runs that never began. */
const NOT_BEGUN = new Set(["unavailable", "no_such_secret", "load_failed"]);

/** The columns of a run that are metered. A pod is metered itself. */
export function meteredFields({ error, durationMs }: Outcome, { image }: Pick<RunsIn, "image">) {
  if (error && NOT_BEGUN.has(error.reason)) return { runs: 0, memoryMs: 0n };
  return { runs: 1, memoryMs: image === null ? BigInt(durationMs) : 0n };
}

/** The columns of an invocation that has ended. */
export const endedFields = ({ result, error, logs, durationMs }: Outcome, endedAt: Date): EndedFields => ({
  status: error ? "failed" : "succeeded",
  payload: null,
  result: result ?? null,
  error: error ? JSON.stringify(error) : null,
  logs: JSON.stringify(logs),
  durationMs,
  endedAt,
});

/** The columns of an invocation whose run failed and that runs again. */
export const waitingFields = (outcome: Outcome, dueAt: Date) => {
  const { error, logs, durationMs } = endedFields(outcome, dueAt);
  return { status: "queued" as const, startedAt: null, dueAt, error, logs, durationMs };
};
