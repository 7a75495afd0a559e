import { ServiceError } from "../../kernel/errors";
import type { PodRuns } from "./pod-runs";

/** Open at once through one process of svc. */
export const CONNECTIONS_OF_POD_MAX = 100;
export const CONNECTIONS_OF_TENANT_MAX = 500;
const RETRY_SECONDS = 1;

/** Counts open connections to ports of pods, by pod and by tenant. */
export function countConnections(): PodRuns["connect"] {
  const open = new Map<string, number>();
  const add = (key: string, by: number) => {
    const count = (open.get(key) ?? 0) + by;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };
  return ({ id, tenantId }) => {
    if ((open.get(id) ?? 0) >= CONNECTIONS_OF_POD_MAX) throw tooMany("a pod", CONNECTIONS_OF_POD_MAX);
    if ((open.get(tenantId) ?? 0) >= CONNECTIONS_OF_TENANT_MAX) throw tooMany("all pods", CONNECTIONS_OF_TENANT_MAX);
    for (const key of [id, tenantId]) add(key, 1);
    let isOpen = true;
    return () => {
      if (isOpen) for (const key of [id, tenantId]) add(key, -1);
      isOpen = false;
    };
  };
}

const tooMany = (of: string, max: number): ServiceError =>
  new ServiceError("rate_limited", `At most ${max} connections to ports of ${of} can be open at a time.`, {
    ...{ retryAfterSeconds: RETRY_SECONDS, details: { reason: "too_many_connections" } },
  });
