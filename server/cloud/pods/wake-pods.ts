import type { Counters } from "../../engines/counters/counters";

/** The topic on which machines are notified that a pod is to be started, stopped or deleted. */
export const PODS_CHANGED = "cloud:pods_changed";

/** Call it after the change is committed. A lost message is harmless: machines look every half second. */
export async function wakePods(counters: Pick<Counters, "publish">): Promise<void> {
  await counters.publish(PODS_CHANGED, "").catch(() => undefined);
}
