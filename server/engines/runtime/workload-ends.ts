import { setTimeout as sleep } from "node:timers/promises";
import { type Observation, RuntimeError } from "./runtime";

const POLL_MS = 20;
/** Many workloads may be about to end: after a second each is looked at less often. */
const SLOW_POLL_MS = 100;
/** After SIGKILL; only a process in an uninterruptible system call takes longer. */
const KILL_WAIT_MS = 30_000;

/** Whether a workload is neither being prepared nor running. */
export const hasEnded = ({ state }: Observation): boolean => state !== "running" && state !== "preparing";

interface Ending {
  graceSeconds: number;
  /** Sends the stop signal; not called without a grace. Resolves to false as long as it cannot be sent yet. */
  stop: () => Promise<boolean>;
  kill: () => Promise<void>;
  observe: () => Promise<Observation>;
}

/** Ends a workload that runs, and returns its final state. Rejects with `not_ended`. */
export async function endWorkload({ graceSeconds, stop, kill, observe }: Ending): Promise<Observation> {
  if (graceSeconds > 0) {
    let isStopped = await stop();
    const stopAndObserve = async () => {
      if (!isStopped) isStopped = await stop();
      return observe();
    };
    if (await hasEndedWithin(graceSeconds * 1000, stopAndObserve)) return observe();
  }
  await kill();
  if (await hasEndedWithin(KILL_WAIT_MS, observe)) return observe();
  throw new RuntimeError("not_ended", "The workload has not ended although it was killed.");
}

/** Looks at a workload until it has ended; false if it has not after `ms`. */
async function hasEndedWithin(ms: number, observe: () => Promise<Observation>): Promise<boolean> {
  const begin = performance.now();
  for (;;) {
    if (hasEnded(await observe())) return true;
    const waited = performance.now() - begin;
    if (waited >= ms) return false;
    await sleep(Math.min(waited < 1000 ? POLL_MS : SLOW_POLL_MS, ms - waited));
  }
}

type NotStarting<S> = Exclude<S, { state: "starting" }>;

/** The state, once what is starting a workload has started it or failed. */
export async function untilNotStarting<S extends { state: string }>(read: () => Promise<S>): Promise<NotStarting<S>> {
  for (;;) {
    const state = await read();
    if (isNotStarting(state)) return state;
    await sleep(POLL_MS);
  }
}

const isNotStarting = <S extends { state: string }>(state: S): state is NotStarting<S> => state.state !== "starting";
