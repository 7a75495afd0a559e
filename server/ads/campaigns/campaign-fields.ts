import { z } from "zod";
import { category, id, moment, setOf, text } from "../fields";
import { BID_UNCONFIRMED_MICROS_MAX } from "../limits";
import { COUNTRIES } from "./countries";

/** 1,000,000 currency units per click or thousand impressions; a higher bid is a mistake. */
const BID_MICROS_MAX = 1e12;
/** 1,000,000,000 currency units; in nanos it still fits a signed 64-bit column. */
const BUDGET_MICROS_MAX = 1e15;
const DAY_SECONDS = 86_400;

export const bidMicros = z.int().min(1).max(BID_MICROS_MAX).describe("Per click (cpc) or per 1,000 impressions (cpm)");
export const confirmHighBid = z
  .boolean()
  .describe(
    `Must be \`true\` for a bid above ${BID_UNCONFIRMED_MICROS_MAX.cpc} (cpc) or ${BID_UNCONFIRMED_MICROS_MAX.cpm} (cpm) micros`,
  );
export const budgetMicros = z.int().min(1).max(BUDGET_MICROS_MAX).nullable();
export const priceModel = z.enum(["cpc", "cpm"]);
export const pacing = z
  .enum(["even", "asap"])
  .describe(
    "`even` spreads the daily budget over the day and a total budget until `ends_at`, in proportion to traffic; `asap` serves until the budget is used up",
  );
export const reach = z.enum(["tenant", "network"]);
export const campaignStatus = z.enum(["draft", "active", "paused", "ended"]);
export const schedule = moment.nullable();

const country = text(2)
  .toUpperCase()
  .refine((code) => COUNTRIES.has(code), "expected an ISO 3166-1 alpha-2 country code such as DE");

const locale = text(35).transform((tag, context) => {
  const canonical = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i.test(tag) && Intl.getCanonicalLocales(tag)[0];
  if (!canonical) context.addIssue({ code: "custom", message: "expected a locale such as en or pt-BR", input: tag });
  return canonical || z.NEVER;
});

/** An IANA time zone name; its case is normalized. */
export const timezone = text(64).transform((zone, context) => {
  const known = zoneOf(zone);
  if (!known) context.addIssue({ code: "custom", message: "expected an IANA zone such as Europe/Berlin", input: zone });
  return known ?? z.NEVER;
});

function zoneOf(zone: string): string | undefined {
  if (!/^[a-z]+(\/[a-z0-9_+-]+)*$/i.test(zone)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
  } catch {
    return undefined;
  }
}

/** At most `count` viewable impressions per user of the campaign, its advertiser or a channel within a window. */
export const Cap = z.strictObject({
  count: z.int().min(1).max(1000),
  window_seconds: z
    .int()
    .min(60)
    .max(180 * DAY_SECONDS),
  per: z.enum(["campaign", "advertiser", "channel"]).default("campaign"),
});
export const caps = z.array(Cap).max(10, "expected at most 10 caps");

export const targetingFields = {
  geos: setOf(country, 250).describe("ISO 3166-1 alpha-2"),
  devices: setOf(z.enum(["desktop", "mobile", "tablet"]), 3),
  locales: setOf(locale, 100).describe("BCP 47: `en` also matches `en-US`"),
  placements: setOf(text(100), 100),
  categories: setOf(category, 100),
  channels: setOf(id, 500).describe("Ids of channels"),
};

const Keyword = z.strictObject({ text: text(80), match: z.enum(["exact", "phrase", "broad", "negative"]) });
export const keywords = z
  .array(Keyword)
  .max(500, "expected at most 500 keywords")
  .transform((list) => [
    ...new Map(list.map((keyword) => [`${keyword.match} ${keyword.text.toLowerCase()}`, keyword])).values(),
  ]);

export const attributionFields = {
  click_days: z.int().min(1).max(90).describe("Number of days after a click within which a conversion counts"),
  view_days: z.int().min(0).max(30).describe("Number of days after a viewable impression; 0: views do not count"),
};
