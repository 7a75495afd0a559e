import type { Snapshot } from "../matching/snapshot";
import type { Neighbours } from "../serving/neighbours";
import { productKey } from "../serving/product-key";
import type { ServingCampaign, ServingItem } from "../serving/serving";
import type { Eligibility } from "../targeting/eligibility";
import type { Candidate, CandidateOutcome, OutcomeReason } from "./decision";

const OUTCOMES_MAX = 1000;

/** Collects the outcome of every item that a traced decision considered. */
export class Tracer {
  readonly #snapshot: Snapshot;
  readonly #eligibility: Eligibility;
  #noted = new Map<ServingItem, CandidateOutcome>();
  #cosines: ReadonlyMap<string, number> = new Map();

  constructor(snapshot: Snapshot, eligibility: Eligibility) {
    this.#snapshot = snapshot;
    this.#eligibility = eligibility;
  }

  /** Discards the outcomes when another text of the request is tried, so that only those of the last text remain. */
  restart(): void {
    this.#noted = new Map();
    this.#cosines = new Map();
  }

  note(outcome: CandidateOutcome & { item: ServingItem }): void {
    const cosine = this.#cosines.get(outcome.item.id);
    this.#noted.set(outcome.item, cosine === undefined ? outcome : { ...outcome, cosine });
  }

  /** Records the cosines of the items that a decision uses. */
  recordNeighbours({ ids, cosines }: Neighbours): void {
    this.#cosines = new Map(ids.map((id, i) => [id, cosines[i] as number]));
  }

  /**
   * Candidates by rank, then all other items, best first, at most 1,000; then one entry for each campaign without a
   * match.
   */
  fates(candidates: readonly Candidate[]): CandidateOutcome[] {
    const ranks = new Map(candidates.map(({ item }, rank) => [item, rank]));
    const advertisers = new Set(candidates.map(({ campaign }) => campaign.advertiserId));
    const products = new Set(candidates.map(({ item }) => productKey(item)));
    const outcomes = [...this.#noted.values()].map((outcome): CandidateOutcome => {
      const rank = outcome.item && ranks.get(outcome.item);
      if (rank !== undefined) return { ...outcome, rank };
      return { ...outcome, reason: outcome.reason ?? reasonBehind(outcome, { advertisers, products }) };
    });
    const place = ({ rank }: CandidateOutcome) => rank ?? Number.MAX_SAFE_INTEGER;
    outcomes.sort((a, b) => place(a) - place(b) || (b.parts?.value ?? 0) - (a.parts?.value ?? 0) || b.score - a.score);
    return [...outcomes.slice(0, OUTCOMES_MAX), ...this.#unmatched()];
  }

  #unmatched(): CandidateOutcome[] {
    const matched = new Set([...this.#noted.values()].map(({ campaign }) => campaign));
    const outcomes: CandidateOutcome[] = [];
    for (let slot = 0; slot < this.#snapshot.slots; slot++) {
      const campaign = this.#snapshot.campaignAt(slot);
      if (!campaign || matched.has(campaign)) continue;
      outcomes.push({
        campaign,
        score: 0,
        coverage: 0,
        reason: this.#eligibility.reasonAgainst(slot) ?? this.#missing(campaign),
      });
    }
    return outcomes;
  }

  #missing({ id }: ServingCampaign): OutcomeReason {
    return this.#snapshot.leftOut.has(id) ? "catalog_full" : "no_match";
  }
}

/** Why a matching item is not among the candidates. */
function reasonBehind(
  { campaign, item, parts }: CandidateOutcome,
  { advertisers, products }: { advertisers: ReadonlySet<string>; products: ReadonlySet<string> },
): OutcomeReason {
  if (parts && !parts.isAboveFloor) return "below_quality_floor";
  if (item && products.has(productKey(item))) return "same_product";
  return advertisers.has(campaign.advertiserId) ? "same_advertiser" : "outranked";
}
