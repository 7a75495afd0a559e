import { exampleId } from "../../operation/example";
import { FEATURE_DESCRIPTIONS } from "../ranking/fit-features";
import type { Explanation } from "./explanation";

export const explanationExample: Explanation = {
  channel_id: exampleId("chn"),
  reading: {
    source: "query",
    words: [{ word: "trail", written: "trail", found: "known", wanted: true }],
    probability: 0.88,
    threshold: 0.7,
    strictness: "balanced",
    features: [
      { feature: "coverage", description: FEATURE_DESCRIPTIONS.coverage, value: 0.92, part: 4.5 },
      { feature: "question", description: FEATURE_DESCRIPTIONS.question, value: 0, part: 0 },
    ],
    nearest_cosine: null,
    nearest_part: null,
    best_coverage: 0.92,
    needed_coverage: 0.41,
    coverage_threshold: null,
  },
  fates: [
    {
      outcome: "offered",
      rank: 1,
      reason: null,
      explanation: "Offered at rank 1.",
      owner: "own",
      campaign_id: exampleId("cmp"),
      campaign_name: "Autumn trail shoes",
      creative_id: exampleId("crv"),
      product_id: null,
      title: "Trail runner 3",
      brand_name: "Northpath",
      image_link: null,
      coverage: 0.92,
      cosine: null,
      price_micros: 310_000,
      value: {
        relevance: 0.92,
        click_rate: 0.03,
        exploration: 1,
        term_affinity: 1.25,
        impressions: 800,
        clicks: 24,
        model: "cpc",
        bid_micros: 400_000,
        value_micros: 13_800_000,
      },
    },
  ],
  network_left_out: 0,
  truncated: false,
};
