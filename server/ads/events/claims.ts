import type { Pool } from "pg";
import { unavailableIfAway } from "../../engines/postgres/is-away";
import { GroupCommit } from "../../kernel/group-commit";
import { claimWithinBudgets } from "./budgets.sql";
import { CampaignTermsMemory } from "./campaign-terms";
import { type Claim, type ClaimOutcome, type ClaimTable, claimEvents } from "./claims.sql";
import { spendDays } from "./spend-days";
import { type AtStep, noStep } from "./steps";

const CLAIMS_PER_STATEMENT_MAX = 2000;
const WAITING_MAX = 50_000;

/** A claim and the time zone of its campaign. */
interface ZonedClaim extends Claim {
  timezone: string;
}

type Groups<T extends Claim> = Record<ClaimTable, GroupCommit<T, ClaimOutcome>>;

/**
 * Claims what may happen only once, many callers in one transaction. What costs a campaign with a budget goes through
 * groups of its own, so that waiting for a budget holds nobody else up.
 */
export class Claims {
  readonly #free: Groups<ZonedClaim>;
  readonly #budgeted: Groups<Claim>;
  readonly #terms: CampaignTermsMemory;

  constructor(sql: Pool, atStep: AtStep = noStep) {
    this.#terms = new CampaignTermsMemory(sql);
    this.#free = groupsOf(atStep, (table, claims: readonly ZonedClaim[]) => {
      const dayOf = spendDays();
      const dated = claims.map(({ timezone, ...claim }) => ({ ...claim, day: dayOf(timezone, claim.at) }));
      return claimEvents(sql, { table, budgetsHeld: false }, dated);
    });
    this.#budgeted = groupsOf(atStep, (table, claims: readonly Claim[]) => claimWithinBudgets(sql, table, claims));
  }

  /**
   * True when this claim is the first of its kind for its offer; its charge is dropped, with the reason `over_budget`,
   * when it does not fit its campaign's budget. Throws `unavailable` when Postgres is away.
   */
  async claim(table: ClaimTable, claim: Claim): Promise<boolean> {
    try {
      return (await this.#outcomeOf(table, claim)) === "won";
    } catch (failure) {
      throw unavailableIfAway(failure);
    }
  }

  async drain(): Promise<void> {
    await this.#terms.drain();
    await Promise.all([this.#free.impressions.drain(), this.#free.clicks.drain()]);
    await Promise.all([this.#budgeted.impressions.drain(), this.#budgeted.clicks.drain()]);
  }

  async #outcomeOf(table: ClaimTable, claim: Claim): Promise<ClaimOutcome> {
    // What costs nothing needs no budget, and no day to write spend to.
    if (claim.chargeNanos === 0) return this.#free[table].add({ ...claim, timezone: "UTC" });
    const { campaignId } = claim;
    const { hasBudget, timezone } = this.#terms.known(campaignId) ?? (await this.#terms.load(campaignId));
    if (hasBudget) return this.#budgeted[table].add(claim);
    const outcome = await this.#free[table].add({ ...claim, timezone });
    if (outcome !== "has_budget") return outcome;
    this.#terms.forget(campaignId);
    return this.#budgeted[table].add(claim);
  }
}

type Flush<T extends Claim> = (table: ClaimTable, claims: readonly T[]) => Promise<Map<string, ClaimOutcome>>;

function groupsOf<T extends Claim>(atStep: AtStep, flush: Flush<T>): Groups<T> {
  const groupOf = (table: ClaimTable) =>
    new GroupCommit<T, ClaimOutcome>((claims) => claimGroup(claims, (first) => flush(table, first), atStep), {
      itemsMax: CLAIMS_PER_STATEMENT_MAX,
      waitingMax: WAITING_MAX,
    });
  return { impressions: groupOf("impressions"), clicks: groupOf("clicks") };
}

/** The first of several claims of one offer in a group stands for it; when that one wins, the others have lost. */
async function claimGroup<T extends Claim>(
  claims: readonly T[],
  flush: (first: readonly T[]) => Promise<Map<string, ClaimOutcome>>,
  atStep: AtStep,
): Promise<ClaimOutcome[]> {
  const first = new Map<string, T>();
  for (const claim of claims) if (!first.has(claim.offerId)) first.set(claim.offerId, claim);
  const sent = flush([...first.values()]);
  atStep("claim.sent");
  const outcomes = await sent;
  atStep("claim.committed");
  return claims.map((claim) => {
    const outcome = outcomes.get(claim.offerId) ?? "lost";
    return outcome === "won" && first.get(claim.offerId) !== claim ? "lost" : outcome;
  });
}
