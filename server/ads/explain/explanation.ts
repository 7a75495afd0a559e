import { z } from "zod";
import { strictnessChoice } from "../channels/channel";
import { FEATURE_DESCRIPTIONS, FEATURES } from "../ranking/fit-features";

const Share = z.number().min(0).max(1);
const Cosine = z.number().min(-1).max(1);

/** The factors of an offer's expected value. */
const Value = z
  .object({
    relevance: z.number().describe("1 for the best match of the request; lower values decrease steeply"),
    click_rate: Share.describe("Predicted clicks per impression"),
    exploration: z.number().describe("1 to 1.2: a bonus for creatives with few impressions"),
    term_affinity: z
      .number()
      .describe(
        "0.5 to 2: how often visitors clicked the item for the words of this query, relative to its click rate; 1 without data and for cpm",
      ),
    impressions: z.int().describe("Impressions of the last 30 days, on which the click rate is based"),
    clicks: z.int(),
    model: z
      .enum(["cpc", "cpm"])
      .describe("The unit of the bid and the price: a click (cpc) or a thousand impressions (cpm)"),
    bid_micros: z.int(),
    value_micros: z
      .number()
      .describe("Expected value of a thousand impressions: relevance x click rate x exploration x term affinity x bid"),
  })
  .describe("The parts of the expected value; absent if a filter, the threshold or a low coverage excluded the item");

/** The outcome of one creative or product, or of a whole campaign without a matching item. */
export const Explained = z.object({
  outcome: z
    .enum(["offered", "runner_up", "left_out"])
    .describe("`runner_up`: replaces an offer that a frequency cap excludes"),
  rank: z.int().nullable().describe("1 is the best rank"),
  reason: z.string().nullable().describe("Why it was left out"),
  explanation: z.string().describe("A description of the outcome"),
  owner: z
    .enum(["own", "network", "house"])
    .describe("`own` and `house` offers earn nothing; `network` ones are of other tenants, who pay"),
  campaign_id: z.string().nullable().describe("null for other tenants' campaigns"),
  campaign_name: z.string().nullable(),
  creative_id: z.string().nullable(),
  product_id: z.string().nullable(),
  title: z.string().nullable(),
  brand_name: z
    .string()
    .nullable()
    .describe("The brand that the offer shows; the advertiser's name if no item of the campaign matched"),
  image_link: z.string().nullable().describe("Of an own product; null for creatives and for other tenants' products"),
  coverage: Share.describe(
    "The share of the wanted words that the item covers; rare words count more. An item whose vector is near covers at least half",
  ),
  cosine: Cosine.nullable().describe(
    "The cosine of the item's vector with the query's; null if it is not among the nearest items, or no vectors were used",
  ),
  value: Value.nullable(),
  price_micros: z
    .int()
    .nullable()
    .describe("The second price, or the reserve without a rival, per click or thousand impressions like the bid"),
});

const Word = z.object({
  word: z.string().describe("As written in lower case, or the title word that replaces it"),
  written: z.string().describe("The word of the request, in lower case; words that were split off have the same one"),
  found: z
    .enum(["known", "corrected", "split", "joined", "synonym", "unknown"])
    .describe(
      "`known`: as written. `corrected`: replaced by the closest title word. `split`: part of a word that was written together. `joined`: known together with its neighbour. `synonym`: matched by a synonym. `unknown`: no item has it",
    ),
  wanted: z.boolean().describe("Whether the word names the wanted thing; other words only change ranks"),
});

const FeaturePart = z.object({
  feature: z
    .enum(FEATURES)
    .describe(FEATURES.map((feature) => `- \`${feature}\`: ${FEATURE_DESCRIPTIONS[feature]}`).join("\n")),
  description: z.string().describe("What the feature measures"),
  value: z.number(),
  part: z
    .number()
    .describe("What it adds to the log-odds of the probability, on top of a constant; negative values decrease it"),
});

const Reading = z.object({
  source: z.enum(["query", "context", "signal"]).describe("The part of the request that determined the result"),
  words: z.array(Word).describe("The words that may name goods, in order"),
  probability: Share.nullable().describe(
    "The calibrated probability that an item fits the query; null if the page context or a signal determined the result",
  ),
  threshold: Share.describe("The probability from which the channel's strictness allows offers for a query"),
  strictness: strictnessChoice.describe("The strictness of the channel"),
  features: z.array(FeaturePart).describe("What the probability consists of; empty if there is none"),
  nearest_cosine: Cosine.nullable().describe(
    "The highest cosine of an item's vector with the query's among the items that may serve, 0 if none is near enough; null if no vectors were used",
  ),
  nearest_part: z
    .number()
    .nullable()
    .describe("What the nearest item adds to the log-odds of the probability, beside the features"),
  best_coverage: Share.describe("The highest coverage of any item"),
  needed_coverage: Share.nullable().describe(
    "The coverage that an item needs beside the best one; null if the request did not reach the threshold, so that only items selected by a keyword are offered",
  ),
  coverage_threshold: Share.nullable().describe(
    "What `best_coverage` must reach if the page context or a signal determined the result; null for a query, whose probability decides",
  ),
});

export const Explanation = z.object({
  channel_id: z.string().nullable().describe("null if the request named none"),
  reading: Reading.nullable().describe("How the request was understood; null if it has no meaningful words"),
  fates: z.array(Explained),
  network_left_out: z
    .int()
    .describe("The number of other tenants' items and campaigns that were considered and left out"),
  truncated: z.boolean(),
});

export type Explained = z.output<typeof Explained>;
export type Explanation = z.output<typeof Explanation>;
