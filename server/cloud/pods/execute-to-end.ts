import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Execution } from "../../engines/runtime/runtime";
import { createRedactor } from "../secrets/redactor";

/** Of standard output and standard error together. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;
/** A process that the program left behind may keep its output open. */
const LAST_OUTPUT_MS = 250;

interface Limits {
  timeoutMs: number;
  /** Aborted when the client has disconnected or svc stops. */
  signal: AbortSignal;
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

/** Waits for a program. It is ended with SIGKILL when its time is over or `signal` is aborted. */
export async function executeToEnd(execution: Execution, { timeoutMs, signal, secrets }: Limits): Promise<Executed> {
  const budget = { left: OUTPUT_BYTES_MAX, isExceeded: false };
  const outputs = [collect(execution.stdout, budget), collect(execution.stderr, budget)] as const;
  let timedOut = false;
  const kill = () => execution.kill("SIGKILL");
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    const { exitCode, signal: endedBy } = await execution.exited;
    await Promise.race([Promise.all(outputs.map(({ ended }) => ended)), sleep(LAST_OUTPUT_MS)]);
    const redactor = createRedactor(secrets);
    const [stdout, stderr] = outputs.map(({ text }) => redactor.redact(text()));
    return {
      ...{ exit_code: exitCode, signal: endedBy, timed_out: timedOut },
      ...{ stdout: stdout ?? "", stderr: stderr ?? "", truncated: budget.isExceeded },
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
    execution.stdout.destroy();
    execution.stderr.destroy();
  }
}

interface Budget {
  left: number;
  isExceeded: boolean;
}

/** Reads to the end, so that the program is not held up, and keeps what the budget allows. */
function collect(stream: Readable, budget: Budget): { ended: Promise<void>; text: () => string } {
  const kept: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, budget.left);
    if (part.length < chunk.length) budget.isExceeded = true;
    budget.left -= part.length;
    if (part.length > 0) kept.push(part);
  });
  const ended = new Promise<void>((resolve) => {
    stream
      .once("close", resolve)
      .once("end", resolve)
      .once("error", () => resolve());
  });
  return { ended, text: () => Buffer.concat(kept).toString("utf8") };
}
