import type { Counters } from "../../engines/counters/counters";

/** The topic on which every process is notified that a webhook was created, enabled or has something to send. */
export const DELIVERIES_DUE = "cloud:deliveries_due";

/** Notifies every process. A lost message is harmless: processes look every 2 s. */
export async function wakeDeliveries(counters: Pick<Counters, "publish">): Promise<void> {
  await counters.publish(DELIVERIES_DUE, "").catch(() => undefined);
}
