import type { Counters } from "../../engines/counters/counters";

/** The topic on which every process is notified that an invocation waits. */
export const INVOCATIONS_DUE = "cloud:invocations_due";

/** Notifies every process. A lost message is harmless: processes look every second. */
export async function wakeInvocations(counters: Pick<Counters, "publish">): Promise<void> {
  await counters.publish(INVOCATIONS_DUE, "").catch(() => undefined);
}
