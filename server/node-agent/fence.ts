import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Runtime } from "../engines/runtime/runtime";
import type { Clock } from "../kernel/clock";

/** svc gives a node up that it has not reached for 10 minutes, and may then run its pods elsewhere. */
const LEASE_MS = 9 * 60_000;
const LOOK_MS = 5000;

export interface FenceParts {
  runtime: Pick<Runtime, "list" | "terminate">;
  /** When the node was driven last, in milliseconds since 1970. */
  drivenAt: () => number;
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/**
 * Ends the workloads of a node that svc has not reached for 9 minutes, until the signal aborts, so that no pod runs
 * twice. Their files stay.
 */
export async function fence(parts: FenceParts, signal: AbortSignal): Promise<void> {
  let isFenced = false;
  while (!signal.aborted) {
    const isLate = parts.clock.now().getTime() - parts.drivenAt() > LEASE_MS;
    if (isLate && !isFenced) parts.log.warn("svc has not reached this node for 9 minutes: its pods are ended");
    if (isLate) await endWorkloads(parts);
    isFenced = isLate;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function endWorkloads({ runtime, log }: FenceParts): Promise<void> {
  try {
    for (const id of await runtime.list()) await runtime.terminate(id, 0);
  } catch (err) {
    log.warn({ err }, "a pod could not be ended, which is repeated");
  }
}
