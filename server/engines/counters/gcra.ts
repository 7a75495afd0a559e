import type { RateUs } from "./check-counters";
import type { RateVerdict } from "./counters";

/**
 * One step of GCRA. `tatUs` is the theoretical arrival time that the last step stored (undefined: a full bucket).
 * Returns the result and the time to store; `gcra.lua.ts` does the same arithmetic in Redis.
 */
export function gcra(tatUs: number | undefined, nowUs: number, rate: RateUs): { verdict: RateVerdict; tatUs: number } {
  // The upper bound matters only after the clock went back or the burst was lowered: no request waits longer than that.
  const before = Math.min(Math.max(tatUs ?? nowUs, nowUs), nowUs + rate.burstUs);
  const wanted = before + rate.costUs;
  const allowed = wanted - rate.burstUs <= nowUs;
  const after = allowed ? wanted : before;
  return { verdict: verdictOf(allowed, { wanted, after, nowUs }, rate), tatUs: after };
}

function verdictOf(
  allowed: boolean,
  { wanted, after, nowUs }: { wanted: number; after: number; nowUs: number },
  { intervalUs, burstUs }: RateUs,
): RateVerdict {
  return {
    allowed,
    remaining: Math.floor((burstUs - (after - nowUs)) / intervalUs),
    retryAfterMs: allowed ? 0 : Math.ceil((wanted - burstUs - nowUs) / 1000),
    resetMs: Math.ceil((after - nowUs) / 1000),
  };
}
