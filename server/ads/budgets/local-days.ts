import { type CampaignDay, campaignDay } from "./campaign-day";

/** The calendar day of a given time in a time zone, cached per day; UTC for an unknown zone. */
export class LocalDays {
  readonly #days = new Map<string, CampaignDay>();

  of(timezone: string, atMs: number): CampaignDay {
    const known = this.#days.get(timezone);
    if (known && atMs >= known.fromMs && atMs < known.toMs) return known;
    const day = campaignDay(timezone, atMs);
    this.#days.set(timezone, day);
    return day;
  }
}
