import type { Counters } from "../engines/counters/counters";

/** The topic that carries the id of a tenant whose name or limits changed, to every process. */
export const TENANT_CHANGED = "identity:tenant_changed";

/** Call it after the change is committed; processes that miss the message see the change within ten seconds. */
export const publishTenantChange = (counters: Pick<Counters, "publish">, tenantId: string): Promise<void> =>
  counters.publish(TENANT_CHANGED, tenantId).catch(() => undefined);
