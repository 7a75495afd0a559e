import type { CampaignStatus } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import type { PriceModel } from "../../kernel/money";
import { BID_UNCONFIRMED_MICROS_MAX } from "../limits";

interface Terms {
  bidMicros: bigint;
  dailyBudgetMicros: bigint | null;
  totalBudgetMicros: bigint | null;
  startsAt: Date | null;
  endsAt: Date | null;
}

/** Valid transitions by status. `ended` has none, because its spend has been reported as final. */
const NEXT: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ["active", "ended"],
  active: ["paused", "ended"],
  paused: ["active", "ended"],
  ended: [],
};

/** Checks the rules that involve several fields of a campaign. Throws `invalid_request`. */
export function checkTerms(terms: Terms): void {
  const { bidMicros, dailyBudgetMicros, totalBudgetMicros, startsAt, endsAt } = terms;
  if (dailyBudgetMicros !== null && dailyBudgetMicros < bidMicros) throw budgetBelowBid("daily_budget_micros");
  if (totalBudgetMicros !== null && totalBudgetMicros < bidMicros) throw budgetBelowBid("total_budget_micros");
  if (startsAt && endsAt && endsAt <= startsAt) {
    throw new ServiceError("invalid_request", "ends_at must be later than starts_at.", { param: "ends_at" });
  }
}

/**
 * Throws `invalid_request` with the reason `bid_confirmation_required` for an unconfirmed bid above the limit of its
 * price model.
 */
export function checkBid(
  { model, bidMicros }: { model: PriceModel; bidMicros: bigint },
  currency: string,
  isConfirmed: boolean,
): void {
  const bound = BID_UNCONFIRMED_MICROS_MAX[model];
  if (isConfirmed || bidMicros <= bound) return;
  const message = `bid_micros is above ${bound / 1_000_000} ${currency} for ${PER[model]}: send confirm_high_bid: true to confirm it.`;
  throw new ServiceError("invalid_request", message, {
    param: "bid_micros",
    details: { reason: "bid_confirmation_required", bound_micros: bound },
  });
}

const PER: Readonly<Record<PriceModel, string>> = { cpc: "a click", cpm: "1,000 impressions" };

/** Throws `conflict` if the status cannot change from `from` to `to`; an unchanged status is always allowed. */
export function checkTransition(from: CampaignStatus, to: CampaignStatus): void {
  if (from === to || NEXT[from].includes(to)) return;
  const allowed = NEXT[from].length > 0 ? `can become ${NEXT[from].join(" or ")}` : "is final; create a new campaign";
  throw new ServiceError("conflict", `status cannot change from ${from} to ${to}: ${from} ${allowed}.`, {
    param: "status",
    details: { reason: "status_transition", from, to },
  });
}

const budgetBelowBid = (param: string): ServiceError =>
  new ServiceError(
    "invalid_request",
    `${param} must be at least bid_micros; otherwise it cannot pay for a single event.`,
    {
      param,
    },
  );
