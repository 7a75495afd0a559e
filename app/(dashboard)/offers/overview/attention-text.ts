import type { Outputs } from "../../../trpc/client";

export type Attention = Outputs["listAttention"][number];

const TEXTS: Readonly<Record<Attention["kind"], string>> = {
  total_budget_spent: "Its total budget is spent: raise it, or end the campaign.",
  daily_budget_spent: "Today's budget is spent; it serves again tomorrow, or when the budget is raised.",
  past_end: "Its end has passed: choose a later end, or end the campaign.",
  nothing_to_serve: "It has nothing to serve: add a creative or send a product feed.",
  email_unverified:
    "It does not serve on other publishers' channels: an owner of this account must verify their email address.",
  advertiser_not_approved:
    "It does not serve on other publishers' channels: verify its advertiser's domain, then request a review.",
  no_balance:
    "It does not serve on other publishers' channels: the prepaid balance is less than one bid. Ask the operator for credit, or lower the bid.",
  quiet_channel: "No requests in the last day, although there were some this week: check its page and its keys.",
  unused_channel: "It has a key but received no requests this week: paste its snippet.",
  invalid_traffic: "of its impressions and clicks today are invalid; a report by traffic shows the reasons.",
};

/** The problem and its fix, as a sentence. */
export const attentionText = ({ kind, share }: Pick<Attention, "kind" | "share">): string =>
  share === null ? TEXTS[kind] : `${Math.round(100 * share)}% ${TEXTS[kind]}`;
