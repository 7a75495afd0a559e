import type { CampaignStatus } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";

interface Terms {
  bidMicros: bigint;
  dailyBudgetMicros: bigint | null;
  totalBudgetMicros: bigint | null;
  startsAt: Date | null;
  endsAt: Date | null;
}

/** The statuses that follow each status; none follows `ended`, since its spend has been reported as final. */
const NEXT: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ["active", "ended"],
  active: ["paused", "ended"],
  paused: ["active", "ended"],
  ended: [],
};

/** What must hold across the fields of a campaign, however it came about. Throws `invalid_request`. */
export function checkTerms(terms: Terms): void {
  const { bidMicros, dailyBudgetMicros, totalBudgetMicros, startsAt, endsAt } = terms;
  if (dailyBudgetMicros !== null && dailyBudgetMicros < bidMicros) throw budgetBelowBid("daily_budget_micros");
  if (totalBudgetMicros !== null && totalBudgetMicros < bidMicros) throw budgetBelowBid("total_budget_micros");
  if (startsAt && endsAt && endsAt <= startsAt) {
    throw new ServiceError("invalid_request", "ends_at must be later than starts_at.", { param: "ends_at" });
  }
}

/** Throws `conflict` when `to` cannot follow `from`; staying is always fine. */
export function checkTransition(from: CampaignStatus, to: CampaignStatus): void {
  if (from === to || NEXT[from].includes(to)) return;
  const allowed = NEXT[from].length > 0 ? `can become ${NEXT[from].join(" or ")}` : "is final; create a new campaign";
  throw new ServiceError("conflict", `status cannot change from ${from} to ${to}: ${from} ${allowed}.`, {
    param: "status",
    details: { reason: "status_transition", from, to },
  });
}

const budgetBelowBid = (param: string): ServiceError =>
  new ServiceError("invalid_request", `${param} must be at least bid_micros, or it could not pay for one event.`, {
    param,
  });
