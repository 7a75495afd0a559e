import type { Pool } from "pg";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import { GroupCommit } from "../../kernel/group-commit";
import { LocalDays } from "../budgets/local-days";
import { claimWithinBudgets } from "./budgets.sql";
import { CampaignTermsMemory } from "./campaign-terms";
import { type Claim, type ClaimOutcome, type ClaimTable, claimEvents, type ZonedClaim } from "./claims.sql";
import { type AtStep, noStep } from "./steps";

const CLAIMS_PER_STATEMENT_MAX = 2000;
const WAITING_MAX = 50_000;

/** The claims of one report, which are committed together. */
type Report = readonly ZonedClaim[];
type Groups = Record<ClaimTable, GroupCommit<Report, ClaimOutcome[]>>;

/**
 * Claims events that can happen only once, batching many callers in one transaction. Claims with a charge to a campaign
 * with a budget, or only to a prepaid balance, use their own batches, so that waiting for those locks does not delay
 * other claims.
 */
export class Claims {
  readonly #free: Groups;
  readonly #prepaid: Groups;
  readonly #budgeted: Groups;
  readonly #terms: CampaignTermsMemory;

  /** `onCommit` is called when a batch has been committed, after which its rows wait in the outbox. */
  constructor(sql: Pool, atStep: AtStep = noStep, onCommit: () => void = () => undefined) {
    this.#terms = new CampaignTermsMemory(sql);
    const days = new LocalDays();
    const groups = (flush: Flush) =>
      groupsOf(atStep, async (table, claims) => {
        const outcomes = await flush(table, claims);
        onCommit();
        return outcomes;
      });
    this.#free = groups((table, claims) => {
      const dated = claims.map(({ timezone, ...claim }) => ({ ...claim, day: days.of(timezone, claim.at).day }));
      return claimEvents(sql, { table, budgetsHeld: false }, dated);
    });
    const held: Flush = (table, claims) => claimWithinBudgets(sql, table, claims);
    this.#prepaid = groups(held);
    this.#budgeted = groups(held);
  }

  /**
   * Returns true if this claim is the first of its kind for its offer. The charge is dropped, with the reason
   * `over_budget` or `no_balance`, if it does not fit the campaign's budget or the payer's balance. Throws
   * `unavailable` if Postgres is unavailable.
   */
  async claim(table: ClaimTable, claim: Claim): Promise<boolean> {
    const [won = false] = await this.claimTogether(table, [claim]);
    return won;
  }

  /**
   * `claim` for each of `claims`, in order and in one transaction: a failure claims none of them, so a report can be
   * repeated as a whole. There are two exceptions: a connection that is lost during the commit, and a campaign that got
   * a budget within the last seconds.
   */
  async claimTogether(table: ClaimTable, claims: readonly Claim[]): Promise<boolean[]> {
    if (claims.length === 0) return [];
    try {
      return (await this.#outcomesOf(table, claims)).map((outcome) => outcome === "won");
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    }
  }

  async drain(): Promise<void> {
    await this.#terms.drain();
    await Promise.all([this.#free.impressions.drain(), this.#free.clicks.drain()]);
    await Promise.all([this.#prepaid.impressions.drain(), this.#prepaid.clicks.drain()]);
    await Promise.all([this.#budgeted.impressions.drain(), this.#budgeted.clicks.drain()]);
  }

  async #outcomesOf(table: ClaimTable, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
    const dated = await Promise.all(claims.map((claim) => this.#withTerms(claim)));
    const report = dated.map(({ zoned }) => zoned);
    if (dated.some(({ hasBudget }) => hasBudget)) return this.#budgeted[table].add(report);
    // Without a charge, no balance is needed.
    if (report.some(({ chargeNanos, payerId }) => chargeNanos > 0 && payerId !== null))
      return this.#prepaid[table].add(report);
    const outcomes = await this.#free[table].add(report);
    const left = report.filter((_, i) => outcomes[i] === "has_budget");
    if (left.length === 0) return outcomes;
    for (const { campaignId } of left) this.#terms.forget(campaignId);
    const later = (await this.#budgeted[table].add(left)).values();
    return outcomes.map((outcome) => (outcome === "has_budget" ? (later.next().value ?? "lost") : outcome));
  }

  async #withTerms(claim: Claim): Promise<{ zoned: ZonedClaim; hasBudget: boolean }> {
    // Without a charge, neither a budget nor a day of spend is needed.
    if (claim.chargeNanos === 0) return { zoned: { ...claim, timezone: "UTC" }, hasBudget: false };
    const { campaignId } = claim;
    const { hasBudget, timezone } = this.#terms.known(campaignId) ?? (await this.#terms.load(campaignId));
    return { zoned: { ...claim, timezone }, hasBudget };
  }
}

type Flush = (table: ClaimTable, claims: readonly ZonedClaim[]) => Promise<Map<string, ClaimOutcome>>;

function groupsOf(atStep: AtStep, flush: Flush): Groups {
  const groupOf = (table: ClaimTable) =>
    new GroupCommit<Report, ClaimOutcome[]>((reports) => claimGroup(reports, (first) => flush(table, first), atStep), {
      itemsMax: CLAIMS_PER_STATEMENT_MAX,
      waitingMax: WAITING_MAX,
      weightOf: (report) => report.length,
    });
  return { impressions: groupOf("impressions"), clicks: groupOf("clicks") };
}

/** Of several claims of one offer in a batch, only the first is executed; the others are duplicates. */
async function claimGroup(
  reports: readonly Report[],
  flush: (first: Report) => Promise<Map<string, ClaimOutcome>>,
  atStep: AtStep,
): Promise<ClaimOutcome[][]> {
  const first = new Map<string, ZonedClaim>();
  for (const claim of reports.flat()) if (!first.has(claim.offerId)) first.set(claim.offerId, claim);
  const sent = flush([...first.values()]);
  atStep("claim.sent");
  const outcomes = await sent;
  atStep("claim.committed");
  const outcomeOf = (claim: ZonedClaim): ClaimOutcome => {
    const outcome = outcomes.get(claim.offerId) ?? "lost";
    return outcome === "won" && first.get(claim.offerId) !== claim ? "lost" : outcome;
  };
  return reports.map((report) => report.map(outcomeOf));
}
