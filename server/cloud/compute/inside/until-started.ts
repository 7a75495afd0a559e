import { pause } from "../../../kernel/pause";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import type { InsideCtx } from "./inside-ctx";

/** Pauses between two looks: short while a cached image starts, longer while one is pulled. */
const LOOKS_MS = [5, 10, 15, 20] as const;
const SHORT_LOOKS = 100;
const LONG_LOOK_MS = 250;

/** How long a caller waits for what is to start. */
export const START_WAIT_MS = 60_000;

interface Wait {
  signal: AbortSignal;
  ms: number;
}

/** Waits until a pod is no longer pending, and returns its record, pending or not when the wait is over. */
export async function untilStarted(
  { db }: Pick<InsideCtx, "db">,
  id: string,
  { signal, ms }: Wait,
): Promise<StoredPod> {
  const until = performance.now() + ms;
  for (let look = 0; ; look++) {
    const { status } = await db.pod.findUniqueOrThrow({ where: { id }, select: { status: true } });
    if (status !== "pending" || signal.aborted || performance.now() >= until) break;
    await pause(look < SHORT_LOOKS ? (LOOKS_MS[look] ?? 20) : LONG_LOOK_MS, signal);
  }
  return db.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
}
