import type { QuotaDefinition } from "../../operation/quota";
import { REQUESTS_PER_MINUTE } from "../../operation/request-rates";

export const REQUESTS_QUOTA = {
  resource: "requests_per_minute",
  unit: "requests per minute",
  description: "Sustained rate of calls to the platform API, per API key and per person",
  // Specification, "Limits".
  defaultLimit: REQUESTS_PER_MINUTE,
  liftable: { min: 1, max: 60_000_000 },
  used: null,
  remedy: "slow down",
} as const satisfies QuotaDefinition;
