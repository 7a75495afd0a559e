import { passesPacing } from "../budgets/passes-pacing";
import { type FilterReason, type FilterScene, filterCampaign } from "./filter-campaign";
import { pageCategories } from "./page-categories";
import type { ServingCampaign } from "./serving";
import type { Snapshot } from "./serving-state";

const UNKNOWN = 0;
const ADMITTED = 1;
const REFUSED = 2;

/**
 * Which campaigns may serve one request. Requests from the same place share what was found out about a campaign, until
 * anything that a filter reads has changed; only a campaign with a schedule is asked anew each time.
 */
export class Eligibility {
  readonly scene: FilterScene;
  readonly #snapshot: Snapshot;
  readonly #verdicts: Uint8Array;

  readonly #seed: string;
  /** By campaign: most campaigns are not paced at all. */
  readonly #paced = new Map<ServingCampaign, boolean>();

  constructor(snapshot: Snapshot, { seed, ...scene }: Omit<FilterScene, "categories"> & { seed: string }) {
    this.#snapshot = snapshot;
    const categories = pageCategories(scene.request.signals);
    this.scene = { ...scene, categories };
    this.#seed = seed;
    const { geo, device, locale, placement } = scene.request;
    this.#verdicts = snapshot.verdictsOf([scene.channel.id, geo, device, locale, placement, ...categories].join("\n"));
  }

  /** Whether a document is there and its campaign may serve. */
  readonly admits = (doc: number): boolean => {
    const slot = this.#snapshot.slotOf(doc);
    return slot >= 0 && this.#verdictOn(slot) === ADMITTED && this.#passes(slot);
  };

  /** Whether a document is there. */
  readonly exists = (doc: number): boolean => this.#snapshot.slotOf(doc) >= 0;

  reasonAgainst(slot: number): FilterReason | undefined {
    return this.#lastingReasonAgainst(slot) ?? (this.#passes(slot) ? undefined : "paced");
  }

  #lastingReasonAgainst(slot: number): FilterReason | undefined {
    if (this.#verdicts[slot] === ADMITTED) return undefined;
    const campaign = this.#snapshot.campaignAt(slot);
    return campaign && filterCampaign(this.scene, campaign, this.#snapshot.advertiser(campaign.advertiserId));
  }

  /** Differs from request to request, so it is never shared. */
  #passes(slot: number): boolean {
    if (!this.#snapshot.isPacedAt(slot)) return true;
    const campaign = this.#snapshot.campaignAt(slot);
    if (!campaign) return true;
    const known = this.#paced.get(campaign);
    if (known !== undefined) return known;
    const passes = passesPacing(campaign, this.#seed);
    this.#paced.set(campaign, passes);
    return passes;
  }

  #verdictOn(slot: number): number {
    const known = this.#verdicts[slot] as number;
    if (known !== UNKNOWN) return known;
    const campaign = this.#snapshot.campaignAt(slot);
    const verdict = !campaign || this.#lastingReasonAgainst(slot) !== undefined ? REFUSED : ADMITTED;
    const isLasting = campaign?.startsAtMs === undefined && campaign?.endsAtMs === undefined;
    if (isLasting) this.#verdicts[slot] = verdict;
    return verdict;
  }
}
