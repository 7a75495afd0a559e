import type { Candidate, Fate, FateReason } from "./decision";
import type { Eligibility } from "./eligibility";
import { productKey } from "./item-words";
import type { ServingItem } from "./serving";
import type { Snapshot } from "./serving-state";

const FATES_MAX = 1000;

/** Collects what became of every item that a traced decision considered. */
export class Tracer {
  readonly #snapshot: Snapshot;
  readonly #eligibility: Eligibility;
  #noted = new Map<ServingItem, Fate>();

  constructor(snapshot: Snapshot, eligibility: Eligibility) {
    this.#snapshot = snapshot;
    this.#eligibility = eligibility;
  }

  /** A further text of the request is tried: only the last one's fates are told. */
  restart(): void {
    this.#noted = new Map();
  }

  note(fate: Fate & { item: ServingItem }): void {
    this.#noted.set(fate.item, fate);
  }

  /** Candidates by rank, then everything else best first, at most 1,000; then one line for each campaign without a match. */
  fates(candidates: readonly Candidate[]): Fate[] {
    const ranks = new Map(candidates.map(({ item }, rank) => [item, rank]));
    const advertisers = new Set(candidates.map(({ campaign }) => campaign.advertiserId));
    const products = new Set(candidates.map(({ item }) => productKey(item)));
    const fates = [...this.#noted.values()].map((fate): Fate => {
      const rank = fate.item && ranks.get(fate.item);
      if (rank !== undefined) return { ...fate, rank };
      return { ...fate, reason: fate.reason ?? reasonBehind(fate, { advertisers, products }) };
    });
    const place = ({ rank }: Fate) => rank ?? Number.MAX_SAFE_INTEGER;
    fates.sort((a, b) => place(a) - place(b) || (b.parts?.value ?? 0) - (a.parts?.value ?? 0) || b.score - a.score);
    return [...fates.slice(0, FATES_MAX), ...this.#unmatched()];
  }

  #unmatched(): Fate[] {
    const matched = new Set([...this.#noted.values()].map(({ campaign }) => campaign));
    const fates: Fate[] = [];
    for (let slot = 0; slot < this.#snapshot.slots; slot++) {
      const campaign = this.#snapshot.campaignAt(slot);
      if (!campaign || matched.has(campaign)) continue;
      fates.push({ campaign, score: 0, coverage: 0, reason: this.#eligibility.reasonAgainst(slot) ?? "no_match" });
    }
    return fates;
  }
}

/** Why something that fits is not among the candidates. */
function reasonBehind(
  { campaign, item, parts }: Fate,
  { advertisers, products }: { advertisers: ReadonlySet<string>; products: ReadonlySet<string> },
): FateReason {
  if (parts && !parts.isAboveFloor) return "below_quality_floor";
  if (item && products.has(productKey(item))) return "same_product";
  return advertisers.has(campaign.advertiserId) ? "same_advertiser" : "outranked";
}
