import type { Neighbours } from "../serving/neighbours";

const PER_CAMPAIGN_MAX = 64;
const NEIGHBOURS_MAX = 512;

interface Near {
  row: number;
  cosine: number;
}

/** Collects the best rows of each campaign in bounded memory. */
export class NearestPerCampaign {
  readonly cosineMin: number;
  readonly #byCampaign = new Map<number, Near[]>();

  constructor(cosineMin: number) {
    this.cosineMin = cosineMin;
  }

  add(row: number, campaign: number, cosine: number): void {
    const known = this.#byCampaign.get(campaign);
    if (!known) {
      this.#byCampaign.set(campaign, [{ row, cosine }]);
      return;
    }
    const isFull = known.length === PER_CAMPAIGN_MAX;
    if (isFull && cosine <= (known.at(-1) as Near).cosine) return;
    let at = known.length;
    while (at > 0 && (known[at - 1] as Near).cosine < cosine) at--;
    known.splice(at, 0, { row, cosine });
    if (isFull) known.pop();
  }

  /** The best of all campaigns, best first; `idOf` returns the item of a row, if it still exists. */
  best(idOf: (row: number) => string | undefined): Pick<Neighbours, "ids" | "cosines"> {
    const all = [...this.#byCampaign.values()].flat().sort((a, b) => b.cosine - a.cosine || a.row - b.row);
    const named = all.slice(0, NEIGHBOURS_MAX).flatMap(({ row, cosine }) => {
      const id = idOf(row);
      return id === undefined ? [] : [{ id, cosine }];
    });
    return { ids: named.map(({ id }) => id), cosines: Float32Array.from(named, ({ cosine }) => cosine) };
  }
}
