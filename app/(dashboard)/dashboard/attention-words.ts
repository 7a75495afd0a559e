import type { Outputs } from "../../trpc/client";

export type Attention = Outputs["overview"]["attention"][number];

const TEXTS: Readonly<Record<Attention["kind"], string>> = {
  total_budget_spent: "Its total budget is spent: raise it, or end the campaign.",
  daily_budget_spent: "Today's budget is spent; it serves again tomorrow, or when the budget is raised.",
  past_end: "Its end has passed: choose a later end, or end the campaign.",
  nothing_to_serve: "It has nothing to serve: add a creative or send a product feed.",
  quiet_channel: "No request for a day, though it had some this week: look at its page and its keys.",
  unused_channel: "It has a key but sent no request this week: paste its snippet.",
  invalid_traffic: "of its impressions and clicks today do not count; a report by traffic names the reasons.",
};

/** What is wrong and what mends it, as a sentence. */
export const attentionText = ({ kind, share }: Pick<Attention, "kind" | "share">): string =>
  share === null ? TEXTS[kind] : `${Math.round(100 * share)}% ${TEXTS[kind]}`;
