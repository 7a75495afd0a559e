import { ServiceError } from "../../kernel/errors";
import { undefinedIfUnavailable } from "../../kernel/undefined-if-unavailable";
import type { Counters, Rate } from "./counters";

export interface RateTake {
  key: string;
  rate: Rate;
  /** Default 1; 0 only reads. */
  cost?: number;
}

/**
 * The result of a limit that protects svc itself. While the counters are unavailable it is undefined and the limit does
 * not apply: serving without a limit is better than not serving. Limits that protect passwords and mailboxes fail
 * closed instead (identity/attempts.ts), and so do frequency caps, which are a promise to advertisers
 * (ads/caps/cap-counts.ts).
 */
export const failOpen = <T>(verdict: Promise<T>): Promise<T | undefined> => undefinedIfUnavailable(verdict);

/** Takes from the bucket of `key`; throws `rate_limited` with `message` when it is empty. Fails open. */
export async function enforceRate(
  counters: Pick<Counters, "take">,
  { key, rate, cost }: RateTake,
  message: string,
): Promise<void> {
  const verdict = await failOpen(counters.take(key, rate, cost));
  if (verdict === undefined || verdict.allowed) return;
  throw new ServiceError("rate_limited", message, {
    retryAfterSeconds: Math.max(1, Math.ceil(verdict.retryAfterMs / 1000)),
  });
}
