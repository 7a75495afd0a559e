import { type FilterReason, type FilterScene, filterCampaign } from "./filter-campaign";
import type { Snapshot } from "./serving-state";

const UNKNOWN = 0;
const ADMITTED = 1;
const REFUSED = 2;

/** Which campaigns may serve one request; each is asked once, when the first of its items turns up. */
export class Eligibility {
  readonly scene: FilterScene;
  readonly #snapshot: Snapshot;
  readonly #verdicts: Uint8Array;

  constructor(snapshot: Snapshot, scene: FilterScene) {
    this.#snapshot = snapshot;
    this.scene = scene;
    this.#verdicts = new Uint8Array(snapshot.slots);
  }

  /** Whether a document is there and its campaign may serve. */
  readonly admits = (doc: number): boolean => {
    const slot = this.#snapshot.slotOf(doc);
    return slot >= 0 && this.#verdictOn(slot) === ADMITTED;
  };

  /** Whether a document is there. */
  readonly exists = (doc: number): boolean => this.#snapshot.slotOf(doc) >= 0;

  reasonAgainst(slot: number): FilterReason | undefined {
    if (this.#verdicts[slot] === ADMITTED) return undefined;
    const campaign = this.#snapshot.campaignAt(slot);
    return campaign && filterCampaign(this.scene, campaign, this.#snapshot.advertiser(campaign.advertiserId));
  }

  #verdictOn(slot: number): number {
    if (this.#verdicts[slot] === UNKNOWN) {
      const refused = !this.#snapshot.campaignAt(slot) || this.reasonAgainst(slot) !== undefined;
      this.#verdicts[slot] = refused ? REFUSED : ADMITTED;
    }
    return this.#verdicts[slot] as number;
  }
}
