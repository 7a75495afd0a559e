import type { Lease } from "../../../engines/postgres/lease";
import { newId } from "../../../kernel/ids";
import type { Claim } from "./claim";
import type { PostResult } from "./post-event";
import { retryAfterOf, retryAt } from "./retry-schedule";

const GONE = 410;

/** The result of an attempt as it is stored; the part from `status` on is the new state of the delivery. */
export interface AttemptResult extends Lease {
  attemptId: string;
  webhookId: string;
  startedAt: Date;
  latencyMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
  status: "pending" | "succeeded" | "failed";
  nextAttemptAt: Date | null;
  retriesLeft: number;
  finishedAt: Date | null;
}

export interface FinishedAttempt {
  claim: Claim;
  result: PostResult;
  startedAt: Date;
  latencyMs: number;
  now: Date;
}

/** What an attempt means for its delivery: it succeeded, is retried later, or failed permanently. */
export function attemptResult(
  { claim, result, startedAt, latencyMs, now }: FinishedAttempt,
  random: () => number,
): AttemptResult {
  const { statusCode, error, responseBody } = result;
  const made = {
    id: claim.id,
    owner: claim.owner,
    fence: claim.fence,
    attemptId: newId("att", startedAt.getTime()),
    webhookId: claim.webhookId,
    startedAt,
    latencyMs,
    statusCode: statusCode ?? null,
    error: error ?? null,
    responseBody: responseBody ?? null,
  };
  const { retriesLeft, retryUntil } = claim;
  const done = { nextAttemptAt: null, retriesLeft, finishedAt: now };
  if (error === undefined) return { ...made, ...done, status: "succeeded" };
  const retryAfterMs = retryAfterOf(result.retryAfter, now);
  const nextAttemptAt = retryAt({ now, retriesLeft, retryUntil, retryAfterMs }, random);
  if (isGone(made) || !nextAttemptAt) return { ...made, ...done, status: "failed" };
  return { ...made, status: "pending", nextAttemptAt, retriesLeft: retriesLeft - 1, finishedAt: null };
}

/** The endpoint asks for no more requests. */
export const isGone = ({ statusCode }: Pick<AttemptResult, "statusCode">): boolean => statusCode === GONE;
