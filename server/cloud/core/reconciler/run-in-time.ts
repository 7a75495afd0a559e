import { ServiceError } from "../../../kernel/errors";

interface InTime {
  maxMs: number;
  abortedBy: readonly (AbortSignal | undefined)[];
}

/**
 * Runs `work` with a signal that is aborted after `maxMs`, and by the others. `inTime` is its result, or rejects then;
 * `ended` resolves when it has really ended.
 */
export function runInTime<T>(work: (signal: AbortSignal) => Promise<T>, { maxMs, abortedBy }: InTime) {
  const ending = new AbortController();
  let isDone = false;
  const late = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(tooSlow()), { once: true });
  });
  late.catch(() => undefined);
  const abort = () => ending.abort();
  const timer = setTimeout(abort, maxMs);
  for (const signal of abortedBy) signal?.addEventListener("abort", abort, { once: true });
  if (abortedBy.some((signal) => signal?.aborted)) abort();
  const running = work(ending.signal);
  const end = () => {
    isDone = true;
    clearTimeout(timer);
    for (const signal of abortedBy) signal?.removeEventListener("abort", abort);
  };
  const ended = running.then(end, end);
  // What has ended in time is known to have ended when its result is.
  const result = ended.then(() => running);
  return { inTime: Promise.race([result, late]), ended, hasEnded: () => isDone };
}

const tooSlow = (): Error =>
  new ServiceError("unavailable", "A step took too long; it is tried again.", { details: { reason: "step_slow" } });
