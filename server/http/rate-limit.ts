import type { Counters, RateVerdict } from "../engines/counters/counters";
import type { Actor } from "../identity/actors/actor";
import { ServiceError } from "../kernel/errors";
import type { Answer } from "./error-response";
import { BULK_WINDOW, rateOf } from "./request-rates";

export interface RateLimitParts {
  counters: Pick<Counters, "take" | "takeWindow">;
  /** A keyed hash of an address. */
  hashAddress: (address: string) => string;
  /** True for loopback visitors of a loopback installation. */
  isExempt: (address: string) => boolean;
}

/** Whom a request counts for, and what they may ask. */
export interface Asker {
  /** Undefined for anybody without a valid key or token: those share the bucket of their address. */
  actor: Actor | undefined;
  address: string;
  requestsPerMinute: number;
}

/** One limit and where the caller stands with it. */
export interface Standing {
  policy: "default" | "bulk";
  /** Requests in `windowSeconds`. */
  quota: number;
  windowSeconds: number;
  verdict: RateVerdict;
}

/**
 * Counts one request, in one round trip to the counters; `isBulk` counts it in the window of bulk endpoints too. Refuses
 * nothing: `refuseLimited` does. Throws `unavailable` while the counters are away, as nobody could be limited then.
 */
export async function countRequest(parts: RateLimitParts, asker: Asker, isBulk: boolean): Promise<Standing[]> {
  const { counters } = parts;
  const rate = rateOf(asker.requestsPerMinute);
  const quota = asker.requestsPerMinute;
  if (!asker.actor && parts.isExempt(asker.address)) {
    return [standing("default", quota, { allowed: true, remaining: rate.burst, retryAfterMs: 0, resetMs: 0 })];
  }
  const who = asker.actor ? bucketOf(asker.actor) : `address:${parts.hashAddress(asker.address)}`;
  if (!isBulk) return [standing("default", quota, await counters.take(`api:${who}`, rate))];
  // Asked together, so that the second question does not wait for the first one's answer.
  const [verdict, bulk] = await Promise.all([
    counters.take(`api:${who}`, rate),
    counters.takeWindow(`api:bulk:${who}`, BULK_WINDOW),
  ]);
  return [standing("default", quota, verdict), standing("bulk", BULK_WINDOW.count, bulk)];
}

/** Throws `rate_limited` when one of the limits is used up. */
export function refuseLimited(standings: readonly Standing[]): void {
  const refused = standings.find(({ verdict }) => !verdict.allowed);
  if (!refused) return;
  const { quota, policy } = refused;
  const what = policy === "bulk" ? "requests to bulk endpoints" : "requests";
  const retryAfterSeconds = waitOf(refused);
  throw new ServiceError(
    "rate_limited",
    `Too many requests: at most ${quota} ${what} a minute. Retry in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, details: { reason: `${policy}_rate` } },
  );
}

/**
 * `ratelimit-limit`, `-remaining` and `-reset` of the limit that refused, else of the default one, and `RateLimit-Policy`
 * and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10) of all. Reset is in seconds: until everything is free again,
 * or, once refused, until the next request can pass.
 */
export function addRateHeaders(headers: Answer["headers"], standings: readonly Standing[]): void {
  const shown = standings.find(({ verdict }) => !verdict.allowed) ?? standings[0];
  if (!shown) return;
  headers["ratelimit-limit"] = String(shown.quota);
  headers["ratelimit-remaining"] = String(shown.verdict.remaining);
  headers["ratelimit-reset"] = String(waitOf(shown));
  headers["ratelimit-policy"] = standings
    .map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`)
    .join(", ");
  headers.ratelimit = standings.map((one) => `"${one.policy}";r=${one.verdict.remaining};t=${waitOf(one)}`).join(", ");
}

const waitOf = ({ verdict }: Standing): number =>
  verdict.allowed ? Math.ceil(verdict.resetMs / 1000) : Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));

const standing = (policy: Standing["policy"], quota: number, verdict: RateVerdict): Standing => ({
  policy,
  quota,
  verdict,
  windowSeconds: policy === "bulk" ? BULK_WINDOW.windowMs / 1000 : 60,
});

const bucketOf = (actor: Actor): string => (actor.kind === "key" ? `key:${actor.keyId}` : `user:${actor.userId}`);
