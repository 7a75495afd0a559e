import { NANOS_PER_MICRO } from "../../kernel/money";
import type { Traffic } from "../traffic/traffic-reason";
import type { DatedClaim } from "./claims.sql";
import { NO_CHARGE } from "./event-rows";

/** null: no limit. */
export interface Budget {
  timezone: string;
  dailyMicros: bigint | null;
  totalMicros: bigint | null;
}

/** In nanos; a missing entry means that nothing was spent. */
export interface Spend {
  /** By `dayKey`. */
  today: ReadonlyMap<string, bigint>;
  /** By campaign. */
  total: ReadonlyMap<string, bigint>;
}

/** What is left of tenants' prepaid balances, in nanos; a missing tenant has nothing. */
export type Balances = ReadonlyMap<string, bigint>;

export const dayKey = ({ campaignId, day }: { campaignId: string; day: string }): string => `${campaignId} ${day}`;

/**
 * Returns the claims in order, each with its charge while that fits the campaign's day and total and the payer's
 * balance. Claims that do not fit have no charge and the reason `over_budget` or `no_balance`.
 */
export function withinBudgets(
  claims: readonly DatedClaim[],
  budgets: ReadonlyMap<string, Budget>,
  { spend, balances }: { spend: Spend; balances: Balances },
): DatedClaim[] {
  const [today, total, left] = [new Map(spend.today), new Map(spend.total), new Map(balances)];
  return claims.map((claim) => {
    // It was batched with claims that have a charge.
    if (claim.chargeNanos === 0) return claim;
    const charge = BigInt(claim.chargeNanos);
    const ofDay = (today.get(dayKey(claim)) ?? 0n) + charge;
    const ofAll = (total.get(claim.campaignId) ?? 0n) + charge;
    const budget = budgets.get(claim.campaignId);
    if (!fits(ofDay, budget?.dailyMicros) || !fits(ofAll, budget?.totalMicros)) return unbilled(claim, "over_budget");
    if (claim.payerId !== null) {
      const rest = (left.get(claim.payerId) ?? 0n) - charge;
      if (rest < 0n) return unbilled(claim, "no_balance");
      left.set(claim.payerId, rest);
    }
    today.set(dayKey(claim), ofDay);
    total.set(claim.campaignId, ofAll);
    return claim;
  });
}

const fits = (nanos: bigint, budgetMicros: bigint | null | undefined): boolean =>
  budgetMicros === null || budgetMicros === undefined || nanos <= budgetMicros * NANOS_PER_MICRO;

function unbilled(claim: DatedClaim, traffic: Traffic): DatedClaim {
  const { chargeNanos: charge_nanos, earningNanos: earning_nanos } = NO_CHARGE;
  return { ...claim, chargeNanos: 0, row: { ...claim.row, charge_nanos, earning_nanos, traffic } };
}
