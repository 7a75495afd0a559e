import type { ExplainedReason } from "../../../server/ads/explain/reasons";
import type { Outputs } from "../../trpc/client";

export type Explanation = Outputs["explain"]["offers"];
export type Explained = Explanation["fates"][number];

/** Where on its way to the page an offer can be lost, nearest to winning first. */
export const STAGES = [
  { stage: "ranking", title: "Lost in the ranking" },
  { stage: "limits", title: "Held back by budgets, pacing and caps" },
  { stage: "fit", title: "Did not fit the request" },
  { stage: "targeting", title: "Meant for other requests" },
  { stage: "running", title: "Not running here" },
] as const;
export type Stage = (typeof STAGES)[number]["stage"];

/** What each reason is called, in the order in which a page lists them. */
const REASONS: Readonly<Record<ExplainedReason, { name: string; stage: Stage }>> = {
  outranked: { name: "Outranked", stage: "ranking" },
  same_advertiser: { name: "Same advertiser", stage: "ranking" },
  same_product: { name: "Same product", stage: "ranking" },
  below_quality_floor: { name: "Below the quality floor", stage: "ranking" },
  budget_spent: { name: "Budget used up", stage: "limits" },
  paced: { name: "Paced", stage: "limits" },
  frequency_cap: { name: "Frequency cap reached", stage: "limits" },
  caps_unknown: { name: "Caps being counted anew", stage: "limits" },
  consent: { name: "No consent", stage: "limits" },
  too_little_in_common: { name: "Too little in common", stage: "fit" },
  negative_keyword: { name: "Negative keyword", stage: "fit" },
  no_match: { name: "No word in common", stage: "fit" },
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
  other_tenant: { name: "Own channels only", stage: "running" },
};

/** Everything that was left out for one reason. */
export interface Loss {
  reason: string;
  name: string;
  stage: Stage;
  /** The reason in a sentence. */
  explanation: string;
  fates: Explained[];
}

/** What was left out, by reason, nearest to winning first; a reason that this page does not know yet comes last. */
export function lossesOf(fates: readonly Explained[]): Loss[] {
  const losses = new Map<string, Loss>();
  for (const fate of fates) {
    if (fate.outcome !== "left_out") continue;
    const reason = fate.reason ?? "unknown";
    const loss = losses.get(reason) ?? { reason, ...wordsFor(reason), explanation: fate.explanation, fates: [] };
    loss.fates.push(fate);
    losses.set(reason, loss);
  }
  return [...losses.values()].sort((a, b) => placeOf(a.reason) - placeOf(b.reason));
}

const ORDER = Object.keys(REASONS);

const placeOf = (reason: string): number => (ORDER.includes(reason) ? ORDER.indexOf(reason) : ORDER.length);

const wordsFor = (reason: string): { name: string; stage: Stage } =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as ExplainedReason] : { name: reason, stage: "running" };

export const withOutcome = ({ fates }: Explanation, outcome: Explained["outcome"]): Explained[] =>
  fates.filter((fate) => fate.outcome === outcome);

/** Names one fate among those of an answer. */
export const keyOf = ({ creative_id, product_id, campaign_id, title }: Explained): string =>
  creative_id ?? product_id ?? campaign_id ?? `network ${title}`;

/** The result in one line: "2 of 3 places filled, 4 runners-up, 31 left out." */
export function summaryOf(explanation: Explanation, limit: number): string {
  const count = (outcome: Explained["outcome"]) => withOutcome(explanation, outcome).length;
  const [offered, runnersUp, leftOut] = [count("offered"), count("runner_up"), count("left_out")];
  const places =
    offered === 0 ? "Nothing would be offered" : `${offered} of ${limit} ${limit === 1 ? "place" : "places"} filled`;
  return `${places}, ${runnersUp} ${runnersUp === 1 ? "runner-up" : "runners-up"}, ${leftOut} left out.`;
}
