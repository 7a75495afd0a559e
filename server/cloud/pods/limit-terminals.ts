import { ServiceError } from "../../kernel/errors";
import { limitOpen } from "./limit-open";
import type { PodRuns } from "./pod-runs";

export const TERMINALS_OF_POD_MAX = 10;
/** In this process. */
export const TERMINALS_OF_TENANT_MAX = 50;

export function limitTerminals(): PodRuns["openTerminal"] {
  const ofPod = limitOpen(TERMINALS_OF_POD_MAX, () => tooMany(`A pod can have ${TERMINALS_OF_POD_MAX}`));
  const ofTenant = limitOpen(TERMINALS_OF_TENANT_MAX, () => tooMany(`A tenant can have ${TERMINALS_OF_TENANT_MAX}`));
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

const tooMany = (limit: string): ServiceError =>
  new ServiceError("rate_limited", `${limit} terminals open at a time; close one first.`, {
    retryAfterSeconds: 5,
    details: { reason: "too_many_terminals" },
  });
