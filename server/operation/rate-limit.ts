import type { Counters, RateVerdict } from "../engines/counters/counters";
import { failOpen } from "../engines/counters/fail-open";
import { ServiceError } from "../kernel/errors";
import type { Actor } from "./actor";
import type { CostClass } from "./operation";
import { rateOf, TOOL_SHARE, TOOL_WINDOW_MS, WINDOWS } from "./request-rates";

export interface RateLimitParts {
  counters: Pick<Counters, "take" | "takeWindow">;
  /** A keyed hash of an address. */
  hashAddress: (address: string) => string;
  /** True for loopback clients when PUBLIC_URL is a loopback address. */
  isExempt: (address: string) => boolean;
}

/** The caller that a request is counted for, and their rate. */
export interface RateLimitSubject {
  /** Undefined without a valid key or token: such requests are counted by address. */
  actor: Actor | undefined;
  address: string;
  requestsPerMinute: number;
  /** Which requests are counted together: those of the platform API by default, or those of the S3 endpoint. */
  policy?: BasePolicy;
  /** As so many requests it counts; default: 1. What no caller can send at once counts as all that they can. */
  requests?: number;
}

type BasePolicy = "default" | "s3";

/** The prefixes of the two buckets of a caller. */
const BUCKETS = { default: "api", s3: "s3" } as const satisfies Record<BasePolicy, string>;

/** One limit and its current state for the caller. */
export interface RateLimitStatus {
  policy: BasePolicy | CostClass | "tools";
  /** Requests per `windowSeconds`. */
  quota: number;
  windowSeconds: number;
  verdict: RateVerdict;
}

/**
 * Counts one request in one round trip to the counters; a cost class also has a window. `assertWithinLimits`
 * rejects the request. Fails open: a limit whose count is unknown because the counters are unavailable is omitted.
 */
export async function countRequest(
  parts: RateLimitParts,
  subject: RateLimitSubject,
  cost?: CostClass,
): Promise<RateLimitStatus[]> {
  const { counters } = parts;
  const { policy = "default", requests = 1 } = subject;
  const rate = rateOf(subject.requestsPerMinute);
  const quota = subject.requestsPerMinute;
  if (!subject.actor && parts.isExempt(subject.address)) {
    return [statusOf(policy, quota, { allowed: true, remaining: rate.burst, retryAfterMs: 0, resetMs: 0 })];
  }
  const who = subject.actor ? bucketOf(subject.actor) : `address:${parts.hashAddress(subject.address)}`;
  const taken = failOpen(counters.take(`${BUCKETS[policy]}:${who}`, rate, Math.min(requests, rate.burst)));
  if (!cost) return baseStatus(policy, quota, await taken);
  // Both run concurrently, so that they take one round trip.
  const [verdict, inWindow] = await Promise.all([
    taken,
    failOpen(counters.takeWindow(`api:${cost}:${who}`, WINDOWS[cost])),
  ]);
  const limits = baseStatus(policy, quota, verdict);
  if (inWindow) limits.push(statusOf(cost, WINDOWS[cost].count, inWindow));
  return limits;
}

/**
 * Counts one call of a tool against the limit of its scope, and an expensive one also against the window of its cost
 * class. Fails open as `countRequest` does.
 */
export async function countToolCall(
  { counters }: Pick<RateLimitParts, "counters">,
  { actor, requestsPerMinute }: { actor: Actor; requestsPerMinute: number },
  { access, cost }: { access: string; cost?: CostClass },
): Promise<RateLimitStatus[]> {
  const who = bucketOf(actor);
  const window = { count: Math.floor(requestsPerMinute * TOOL_SHARE), windowMs: TOOL_WINDOW_MS };
  const [verdict, inWindow] = await Promise.all([
    failOpen(counters.takeWindow(`tools:${access}:${who}`, window)),
    cost && failOpen(counters.takeWindow(`api:${cost}:${who}`, WINDOWS[cost])),
  ]);
  const limits = verdict ? [statusOf("tools", window.count, verdict)] : [];
  if (cost && inWindow) limits.push(statusOf(cost, WINDOWS[cost].count, inWindow));
  return limits;
}

const COUNTED = {
  default: "requests",
  s3: "requests to the S3 endpoint",
  bulk: "requests to bulk endpoints",
  report: "reports",
  tools: "calls of tools with one scope",
} as const;

/** Throws `rate_limited` when one of the limits is exceeded. */
export function assertWithinLimits(limits: readonly RateLimitStatus[]): void {
  const exceeded = limits.find(({ verdict }) => !verdict.allowed);
  if (!exceeded) return;
  const { quota, policy } = exceeded;
  const retryAfterSeconds = waitOf(exceeded);
  throw new ServiceError(
    "rate_limited",
    `Too many requests: at most ${quota} ${COUNTED[policy]} per minute. Retry in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, details: { reason: `${policy}_rate` } },
  );
}

/**
 * Sets `ratelimit-limit`, `-remaining` and `-reset` of the exceeded limit, or by default of the first one, and
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10) of all. Reset is the number of seconds
 * until the full limit is available or, if exceeded, until the next request is allowed.
 */
export function addRateHeaders(headers: Record<string, string>, limits: readonly RateLimitStatus[]): void {
  const shown = limits.find(({ verdict }) => !verdict.allowed) ?? limits[0];
  if (!shown) return;
  headers["ratelimit-limit"] = String(shown.quota);
  headers["ratelimit-remaining"] = String(shown.verdict.remaining);
  headers["ratelimit-reset"] = String(waitOf(shown));
  headers["ratelimit-policy"] = limits
    .map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`)
    .join(", ");
  headers.ratelimit = limits.map((one) => `"${one.policy}";r=${one.verdict.remaining};t=${waitOf(one)}`).join(", ");
}

const waitOf = ({ verdict }: RateLimitStatus): number =>
  verdict.allowed ? Math.ceil(verdict.resetMs / 1000) : Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));

const baseStatus = (policy: BasePolicy, quota: number, verdict: RateVerdict | undefined): RateLimitStatus[] =>
  verdict ? [statusOf(policy, quota, verdict)] : [];

const statusOf = (policy: RateLimitStatus["policy"], quota: number, verdict: RateVerdict): RateLimitStatus => ({
  policy,
  quota,
  verdict,
  windowSeconds: policy in WINDOWS ? WINDOWS[policy as CostClass].windowMs / 1000 : 60,
});

const bucketOf = (actor: Actor): string => (actor.kind === "key" ? `key:${actor.keyId}` : `user:${actor.userId}`);
