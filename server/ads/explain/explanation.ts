import { z } from "zod";

const Share = z.number().min(0).max(1);

/** What made up the expected value of an offer. */
const Value = z
  .object({
    relevance: z.number().describe("1 for the best fit of the request, falling steeply"),
    click_rate: Share.describe("Predicted clicks for each impression"),
    exploration: z.number().describe("1 to 1.2: what a creative gets on top while it was hardly seen"),
    impressions: z.int().describe("Counted in the last 30 days, behind the click rate"),
    clicks: z.int(),
    model: z.enum(["cpc", "cpm"]).describe("What the bid and the price are for: a click, or a thousand impressions"),
    bid_micros: z.int(),
    value_micros: z.number().describe("Expected value of a thousand impressions: relevance x click rate x bid"),
  })
  .describe("The parts of the expected value; absent where a filter or the gate spoke first");

/** What became of one creative or product, or of a whole campaign without a matching item. */
export const Explained = z.object({
  outcome: z
    .enum(["offered", "runner_up", "left_out"])
    .describe("`runner_up`: takes the place of an offer that a frequency cap keeps out"),
  rank: z.int().nullable().describe("1 for the first place"),
  reason: z.string().nullable().describe("Why it was left out"),
  explanation: z.string().describe("The outcome in words"),
  owner: z.enum(["own", "network"]),
  campaign_id: z.string().nullable().describe("null for campaigns of others"),
  campaign_name: z.string().nullable(),
  creative_id: z.string().nullable(),
  product_id: z.string().nullable(),
  title: z.string().nullable(),
  coverage: Share.describe("Share of the request's meaning that the item covers"),
  value: Value.nullable(),
  price_micros: z
    .int()
    .nullable()
    .describe("The second price, in the unit of the bid: for a click, or for a thousand impressions"),
});

export const Explanation = z.object({
  channel_id: z.string(),
  reading: z
    .object({
      source: z.enum(["query", "context", "signal"]).describe("The part of the request that decided"),
      intent: z.enum(["buy", "ask", "plain"]),
      words: z.array(z.object({ word: z.string().describe("As it is looked up"), weight: z.number() })),
      best_coverage: Share.describe("The most that any item covers of what was asked for"),
      needed_coverage: Share.nullable().describe(
        "What an item must cover; null when nothing was offered for want of it",
      ),
    })
    .nullable()
    .describe("How the request was understood; null when it has no words with meaning"),
  fates: z.array(Explained),
  network_left_out: z.int().describe("Items and campaigns of others that were considered and left out"),
  truncated: z.boolean(),
});

export type Explained = z.output<typeof Explained>;
export type Explanation = z.output<typeof Explanation>;
