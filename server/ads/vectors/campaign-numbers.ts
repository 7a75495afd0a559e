/** Small numbers for the campaigns of vectors; a number is reused when the last vector of its campaign is removed. */
export class CampaignNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #campaigns: { id: string; vectors: number }[] = [];
  readonly #free: number[] = [];

  /** Counts one more vector of a campaign and returns the campaign's number. */
  add(id: string): number {
    const known = this.#numbers.get(id);
    const number = known ?? this.#free.pop() ?? this.#campaigns.length;
    if (known === undefined) {
      this.#numbers.set(id, number);
      this.#campaigns[number] = { id, vectors: 0 };
    }
    (this.#campaigns[number] as { vectors: number }).vectors++;
    return number;
  }

  remove(number: number): void {
    const campaign = this.#campaigns[number];
    if (!campaign || --campaign.vectors > 0) return;
    this.#numbers.delete(campaign.id);
    this.#free.push(number);
  }
}
