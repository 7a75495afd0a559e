import type { Execution } from "../../../engines/runtime/execution";
import { createRedactor } from "../../data/secrets/redactor";
import { outputBudget, type ReadExecution, readExecution } from "./read-execution";

/** Of standard output and standard error together. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;

interface Limits extends Pick<ReadExecution, "timeoutMs" | "signal"> {
  /** Values that are not shown. */
  secrets: readonly string[];
}

/** How a program ended, and what it wrote: at most `OUTPUT_BYTES_MAX` bytes in all, what comes after them is dropped. */
export interface Executed {
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean;
  stdout: string;
  stderr: string;
  truncated: boolean;
}

/** Waits for a program. It is ended, with all that it has started, when its time is over or `signal` is aborted. */
export async function executeToEnd(execution: Execution, { secrets, ...limits }: Limits): Promise<Executed> {
  const budget = outputBudget(OUTPUT_BYTES_MAX);
  const read = await readExecution(execution, { ...limits, budgets: { stdout: budget, stderr: budget } });
  const redactor = createRedactor(secrets);
  return {
    exit_code: read.exit.exitCode,
    signal: read.exit.signal,
    timed_out: read.timedOut,
    stdout: redactor.redact(read.stdout.toString("utf8")),
    stderr: redactor.redact(read.stderr.toString("utf8")),
    truncated: budget.isExceeded,
  };
}
