import { setTimeout as sleep } from "node:timers/promises";
import type { Observation } from "./runtime";

const POLL_MS = 20;
/** Many workloads may be about to end: after a second each is looked at less often. */
const SLOW_POLL_MS = 100;

/** Whether a workload is neither being prepared nor running. */
export const hasEnded = ({ state }: Observation): boolean => state !== "running" && state !== "preparing";

/** Looks at a workload until it has ended; false if it has not after `ms`. */
export async function hasEndedWithin(ms: number, observe: () => Promise<Observation>): Promise<boolean> {
  const begin = performance.now();
  for (;;) {
    if (hasEnded(await observe())) return true;
    const waited = performance.now() - begin;
    if (waited >= ms) return false;
    await sleep(Math.min(waited < 1000 ? POLL_MS : SLOW_POLL_MS, ms - waited));
  }
}
