import { setTimeout as sleep } from "node:timers/promises";

/** What one kind of call took, in milliseconds in order of length; one that failed counts as one of the time limit. */
export interface Taken {
  times: number[];
  errors: Record<string, number>;
}

/** A call that was refused; the message is for the table. */
export class Refused extends Error {
  constructor({ status }: Response, text: string) {
    const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
    const [, reason] = /"reason":"(\w+)"/.exec(text) ?? [];
    super([status, code, reason].filter(Boolean).join(" "));
  }
}

/** A kind of call: resolves with what it took, by name, in milliseconds. */
export interface MeasuredCall {
  names: readonly string[];
  /** Calls are due at this distance; undefined: one after the other. */
  everyMs?: number;
  run(n: number, signal: AbortSignal): Promise<readonly number[]>;
}

const TIME_LIMIT_MS = 30_000;
const AT_ONCE_MAX = 20;

/**
 * Makes calls of all kinds beside each other for `ms`, each measured from the moment it was due, and waits for the last.
 */
export async function measureCalls(
  calls: readonly MeasuredCall[],
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<Map<string, Taken>> {
  const taken = new Map<string, Taken>();
  for (const name of calls.flatMap(({ names }) => names)) taken.set(name, { times: [], errors: {} });
  await Promise.all(calls.map((call) => makeCalls(call, { endAt: performance.now() + ms, signal, taken })));
  for (const { times } of taken.values()) times.sort((a, b) => a - b);
  return taken;
}

interface Window {
  endAt: number;
  signal: AbortSignal;
  taken: Map<string, Taken>;
}

async function makeCalls({ names, everyMs, run }: MeasuredCall, { endAt, signal, taken }: Window): Promise<void> {
  const open = new Set<Promise<void>>();
  const one = async (n: number, dueAt: number) => {
    const lateMs = performance.now() - dueAt;
    const limit = new AbortController();
    const abort = () => limit.abort();
    const timer = setTimeout(abort, TIME_LIMIT_MS);
    signal.addEventListener("abort", abort);
    try {
      const times = await run(n, limit.signal);
      names.forEach((name, i) => void taken.get(name)?.times.push((times[i] ?? 0) + (i === 0 ? lateMs : 0)));
    } catch (cause) {
      if (signal.aborted) return;
      const reason = limit.signal.aborted
        ? `no answer in ${TIME_LIMIT_MS / 1000} s`
        : cause instanceof Error
          ? cause.message
          : String(cause);
      for (const name of names) {
        const { times, errors } = taken.get(name) ?? { times: [], errors: {} };
        times.push(TIME_LIMIT_MS);
        errors[reason] = (errors[reason] ?? 0) + 1;
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  };
  let dueAt = performance.now();
  for (let n = 0; performance.now() < endAt && !signal.aborted; n++) {
    if (everyMs === undefined) await one(n, performance.now());
    else {
      const call: Promise<void> = one(n, dueAt).finally(() => open.delete(call));
      open.add(call);
      dueAt += everyMs;
      await sleep(Math.max(0, dueAt - performance.now()));
      if (open.size >= AT_ONCE_MAX) await Promise.race(open);
    }
  }
  await Promise.all(open);
}
