import { NANOS_PER_MICRO } from "../../kernel/money";
import type { Traffic } from "../traffic/traffic-reason";
import type { DatedClaim } from "./claims.sql";
import { NO_CHARGE } from "./fact-rows";

/** null: no limit. */
export interface Budget {
  timezone: string;
  dailyMicros: bigint | null;
  totalMicros: bigint | null;
}

/** In nanos; what is missing spent nothing. */
export interface Spend {
  /** By `dayKey`. */
  today: ReadonlyMap<string, bigint>;
  /** By campaign. */
  total: ReadonlyMap<string, bigint>;
}

export const dayKey = ({ campaignId, day }: { campaignId: string; day: string }): string => `${campaignId} ${day}`;

/**
 * The claims in their order, each at its charge as long as that fits what is left of its campaign's day and total;
 * those that do not fit at no charge and as `over_budget`.
 */
export function withinBudgets(
  claims: readonly DatedClaim[],
  budgets: ReadonlyMap<string, Budget>,
  spend: Spend,
): DatedClaim[] {
  const [today, total] = [new Map(spend.today), new Map(spend.total)];
  return claims.map((claim) => {
    const charge = BigInt(claim.chargeNanos);
    const ofDay = (today.get(dayKey(claim)) ?? 0n) + charge;
    const ofAll = (total.get(claim.campaignId) ?? 0n) + charge;
    const budget = budgets.get(claim.campaignId);
    if (!fits(ofDay, budget?.dailyMicros) || !fits(ofAll, budget?.totalMicros)) return unbilled(claim);
    today.set(dayKey(claim), ofDay);
    total.set(claim.campaignId, ofAll);
    return claim;
  });
}

const fits = (nanos: bigint, budgetMicros: bigint | null | undefined): boolean =>
  budgetMicros === null || budgetMicros === undefined || nanos <= budgetMicros * NANOS_PER_MICRO;

function unbilled(claim: DatedClaim): DatedClaim {
  const traffic: Traffic = "over_budget";
  const { chargeNanos: charge_nanos, earningNanos: earning_nanos } = NO_CHARGE;
  return { ...claim, chargeNanos: 0, row: { ...claim.row, charge_nanos, earning_nanos, traffic } };
}
