import { ServiceError } from "../../../kernel/errors";
import { limitOpen } from "./limit-open";

/** Counts something that is open in a pod, by pod and by tenant. Returns what closes it, which may be called again. */
export type LimitInPods = (of: { tenantId: string; podId: string }) => () => void;

interface Limits {
  /** In one process of svc. */
  podMax: number;
  tenantMax: number;
  /** In the plural, as in "A pod can have 10 …". */
  what: string;
  reason: string;
}

const RETRY_SECONDS = 5;
/** In one process of svc. */
export const TERMINALS = { podMax: 10, tenantMax: 50, what: "terminals", reason: "too_many_terminals" };
export const CONNECTIONS = {
  podMax: 100,
  tenantMax: 500,
  what: "connections to ports of pods",
  reason: "too_many_connections",
};

/** Throws `rate_limited` with the reason at one of the limits. */
export function limitInPods({ podMax, tenantMax, what, reason }: Limits): LimitInPods {
  const tooMany = (owner: string, max: number) => () =>
    new ServiceError("rate_limited", `${owner} can have ${max} ${what} open at a time; close one first.`, {
      retryAfterSeconds: RETRY_SECONDS,
      details: { reason },
    });
  const ofPod = limitOpen(podMax, tooMany("A pod", podMax));
  const ofTenant = limitOpen(tenantMax, tooMany("A tenant", tenantMax));
  return ({ tenantId, podId }) => {
    const closeOfTenant = ofTenant(tenantId);
    try {
      const closeOfPod = ofPod(podId);
      return () => {
        closeOfPod();
        closeOfTenant();
      };
    } catch (refusal) {
      closeOfTenant();
      throw refusal;
    }
  };
}
