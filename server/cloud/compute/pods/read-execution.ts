import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Execution, ExecutionExit } from "../../../engines/runtime/execution";

/** For a node that does not end the outputs of a program soon after it. */
const LAST_OUTPUT_MS = 2000;

/** How many bytes may still be kept of one output or of several. */
export interface OutputBudget {
  left: number;
  isExceeded: boolean;
}

export const outputBudget = (bytesMax: number): OutputBudget => ({ left: bytesMax, isExceeded: false });

export interface ReadExecution {
  /** When the program is ended, with all that it has started. */
  timeoutMs: number;
  /** Aborted when the client has disconnected or svc stops: the program is ended then, too. */
  signal: AbortSignal;
  /** What does not fit is dropped. */
  budgets: { stdout: OutputBudget; stderr: OutputBudget };
  /** Whether the program is ended by its first byte of standard output that does not fit. */
  endsWhenFull?: boolean;
}

export interface ReadResult {
  exit: ExecutionExit;
  timedOut: boolean;
  stdout: Buffer;
  stderr: Buffer;
}

/**
 * Waits for a program and keeps its output, within a time and a number of bytes that it cannot exceed. Rejects with
 * `unavailable` if its node cannot be reached any more.
 */
export async function readExecution(
  execution: Execution,
  { timeoutMs, signal, budgets, endsWhenFull = false }: ReadExecution,
): Promise<ReadResult> {
  const end = () => execution.end();
  const stdout = collect(execution.stdout, budgets.stdout, endsWhenFull ? end : () => {});
  const stderr = collect(execution.stderr, budgets.stderr, () => {});
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    const exit = await execution.exited;
    const over = new AbortController();
    const late = sleep(LAST_OUTPUT_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([Promise.all([stdout.ended, stderr.ended]), late]);
    over.abort();
    return { exit, timedOut, stdout: stdout.bytes(), stderr: stderr.bytes() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    execution.stdout.destroy();
    execution.stderr.destroy();
  }
}

/** Reads to the end, so that the program is not held up, and keeps what the budget allows. */
function collect(
  stream: Readable,
  budget: OutputBudget,
  onExceeded: () => void,
): { ended: Promise<void>; bytes: () => Buffer } {
  const kept: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, budget.left);
    budget.left -= part.length;
    if (part.length > 0) kept.push(part);
    if (part.length === chunk.length) return;
    budget.isExceeded = true;
    onExceeded();
  });
  const ended = new Promise<void>((resolve) => {
    stream
      .once("close", resolve)
      .once("end", resolve)
      .on("error", () => resolve());
  });
  return { ended, bytes: () => Buffer.concat(kept) };
}
