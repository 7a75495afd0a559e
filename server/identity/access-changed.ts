import type { Counters } from "../engines/counters/counters";

/** The topic that carries the id of a user whose sessions or roles changed, to every process. */
export const ACCESS_CHANGED = "identity:access_changed";

/** Makes every process read the user's access again; a process that misses the message does so within ten seconds. */
export const announceAccessChange = (counters: Pick<Counters, "publish">, userId: string): Promise<void> =>
  counters.publish(ACCESS_CHANGED, userId).catch(() => undefined);
