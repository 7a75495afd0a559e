import { shareOf } from "../../kernel/share-of";
import type { Snapshot } from "../matching/snapshot";

/** The order of advertisers among equal offers in one request; an empty seed leaves it to the ids of items. */
export class Draws {
  readonly #snapshot: Snapshot;
  readonly #seed: string;
  readonly #known = new Map<number, number>();

  constructor(snapshot: Snapshot, seed: string) {
    this.#snapshot = snapshot;
    this.#seed = seed;
  }

  /** The draw of the advertiser of a campaign, 0 to 1. */
  of(slot: number): number {
    if (this.#seed === "") return 0;
    const advertiser = this.#snapshot.advertiserAt(slot);
    const known = this.#known.get(advertiser);
    if (known !== undefined) return known;
    const draw = shareOf(`${this.#snapshot.campaignAt(slot)?.advertiserId}\n${this.#seed}`);
    this.#known.set(advertiser, draw);
    return draw;
  }
}
