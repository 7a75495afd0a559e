import type { ExplainedReason } from "../../../../server/ads/explain/reasons";
import type { Outputs } from "../../../trpc/client";

export type Explanation = Outputs["explainOffers"];
export type ExplainedOffer = Explanation["fates"][number];

/** The stages at which an offer can be excluded, closest to winning first. */
export const STAGES = [
  { stage: "ranking", title: "Lost in the ranking" },
  { stage: "limits", title: "Limited by budgets, pacing and caps" },
  { stage: "fit", title: "Did not match the request" },
  { stage: "targeting", title: "Excluded by targeting" },
  { stage: "running", title: "Not running here" },
] as const;
export type Stage = (typeof STAGES)[number]["stage"];

/** The label and stage of each reason, in display order. */
const REASONS: Readonly<Record<ExplainedReason, { name: string; stage: Stage }>> = {
  outranked: { name: "Outranked", stage: "ranking" },
  same_advertiser: { name: "Same advertiser", stage: "ranking" },
  same_product: { name: "Same product", stage: "ranking" },
  below_quality_floor: { name: "Below the quality floor", stage: "ranking" },
  budget_spent: { name: "Budget used up", stage: "limits" },
  no_balance: { name: "Balance used up", stage: "limits" },
  paced: { name: "Paced", stage: "limits" },
  frequency_cap: { name: "Frequency cap reached", stage: "limits" },
  caps_unknown: { name: "Caps being recounted", stage: "limits" },
  consent: { name: "No consent", stage: "limits" },
  unlikely_fit: { name: "Request below the threshold", stage: "fit" },
  too_little_in_common: { name: "Too little in common", stage: "fit" },
  negative_keyword: { name: "Negative keyword", stage: "fit" },
  no_match: { name: "No word in common", stage: "fit" },
  catalog_full: { name: "Items not loaded", stage: "fit" },
  out_of_stock: { name: "Out of stock", stage: "targeting" },
  geo: { name: "Other countries", stage: "targeting" },
  locale: { name: "Other locales", stage: "targeting" },
  device: { name: "Other devices", stage: "targeting" },
  placement: { name: "Other placements", stage: "targeting" },
  channel: { name: "Other channels", stage: "targeting" },
  channel_category: { name: "Other categories", stage: "targeting" },
  blocked_category: { name: "Category blocked by the channel", stage: "targeting" },
  blocked_advertiser: { name: "Advertiser blocked by the channel", stage: "targeting" },
  status: { name: "Not active", stage: "running" },
  not_started: { name: "Not started yet", stage: "running" },
  ended: { name: "Ended", stage: "running" },
  advertiser_archived: { name: "Advertiser deleted", stage: "running" },
  mode: { name: "Other mode", stage: "running" },
  channel_suspended: { name: "Channel suspended", stage: "running" },
  blocked_channel: { name: "Channel blocked by the advertiser", stage: "running" },
  publisher_choice: { name: "Not chosen by the publisher", stage: "running" },
  email_unverified: { name: "Email address not verified", stage: "running" },
  advertiser_not_approved: { name: "Advertiser not approved", stage: "running" },
  other_tenant: { name: "Own channels only", stage: "running" },
};

/** The offers excluded for one reason. */
export interface Loss {
  reason: string;
  name: string;
  stage: Stage;
  /** The reason in a sentence. */
  explanation: string;
  fates: ExplainedOffer[];
}

/** Excluded offers grouped by reason; groups and the offers in each are closest to winning first, unknown reasons last. */
export function groupLosses(fates: readonly ExplainedOffer[]): Loss[] {
  const losses = new Map<string, Loss>();
  for (const fate of fates) {
    if (fate.outcome !== "left_out") continue;
    const reason = fate.reason ?? "unknown";
    const loss = losses.get(reason) ?? { reason, ...reasonInfo(reason), explanation: fate.explanation, fates: [] };
    loss.fates.push(fate);
    losses.set(reason, loss);
  }
  for (const loss of losses.values()) loss.fates.sort(byCloseness);
  return [...losses.values()].sort((a, b) => reasonIndex(a.reason) - reasonIndex(b.reason));
}

/** Offers compete by value; those that were excluded before have only a coverage, or a nearness of meaning. */
const byCloseness = (a: ExplainedOffer, b: ExplainedOffer): number =>
  (b.value?.value_micros ?? -1) - (a.value?.value_micros ?? -1) ||
  b.coverage - a.coverage ||
  (b.cosine ?? -1) - (a.cosine ?? -1);

const REASON_ORDER = Object.keys(REASONS);

const reasonIndex = (reason: string): number =>
  REASON_ORDER.includes(reason) ? REASON_ORDER.indexOf(reason) : REASON_ORDER.length;

const reasonInfo = (reason: string): { name: string; stage: Stage } =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as ExplainedReason] : { name: reason, stage: "running" };

export const withOutcome = ({ fates }: Explanation, outcome: ExplainedOffer["outcome"]): ExplainedOffer[] =>
  fates.filter((fate) => fate.outcome === outcome);

/** A unique key for an offer within one explanation. */
export const offerKey = ({ creative_id, product_id, campaign_id, title }: ExplainedOffer): string =>
  creative_id ?? product_id ?? campaign_id ?? `network ${title}`;

/** The result in one line: "2 of 3 places filled, 4 runners-up, 31 left out." */
export function summaryText(explanation: Explanation, limit: number): string {
  const count = (outcome: ExplainedOffer["outcome"]) => withOutcome(explanation, outcome).length;
  const [offered, runnersUp, leftOut] = [count("offered"), count("runner_up"), count("left_out")];
  const places =
    offered === 0 ? "Nothing would be offered" : `${offered} of ${limit} ${limit === 1 ? "place" : "places"} filled`;
  return `${places}, ${runnersUp} ${runnersUp === 1 ? "runner-up" : "runners-up"}, ${leftOut} left out.`;
}
