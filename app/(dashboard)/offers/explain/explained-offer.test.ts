import { describe, expect, it } from "vitest";
import { REASONS } from "../../../../server/ads/explain/reasons";
import { type ExplainedOffer, type Explanation, groupLosses, summaryText } from "./explained-offer";
import { scalesOf, scoreBars } from "./score-bars";

const VALUE: NonNullable<ExplainedOffer["value"]> = {
  relevance: 0.5,
  click_rate: 0.01,
  exploration: 1.1,
  term_affinity: 1,
  impressions: 200,
  clicks: 2,
  model: "cpc",
  bid_micros: 400_000,
  value_micros: 2_200_000,
};

const fateOf = (fields: Partial<ExplainedOffer>): ExplainedOffer => ({
  outcome: "left_out",
  rank: null,
  reason: null,
  explanation: "",
  owner: "own",
  campaign_id: "cmp_1",
  campaign_name: "Boots",
  creative_id: "crv_1",
  product_id: null,
  title: "Warm boots",
  brand_name: "Reef",
  image_link: null,
  coverage: 0,
  cosine: null,
  value: null,
  price_micros: null,
  ...fields,
});

const explanationOf = (fates: ExplainedOffer[]): Explanation => ({
  channel_id: "chn_1",
  reading: null,
  fates,
  network_left_out: 0,
  truncated: false,
});

const lost = (reason: string) => fateOf({ reason, explanation: `Because of ${reason}.` });

describe("lossesOf", () => {
  it("has words for every reason that an explanation can give", () => {
    const losses = groupLosses(Object.keys(REASONS).map(lost));
    expect(losses.map(({ reason }) => reason).sort()).toEqual(Object.keys(REASONS).sort());
    for (const { reason, name } of losses) expect(name).not.toBe(reason);
  });

  it("sorts the offers of a reason by how close they were: by value, then by coverage", () => {
    const of = (title: string, fields: Partial<ExplainedOffer>) => fateOf({ title, reason: "outranked", ...fields });
    const worth = (value_micros: number) => ({ value: { ...VALUE, value_micros } });
    const fates = [
      of("covers less", { coverage: 0.2 }),
      of("worth less", { coverage: 0.9, ...worth(1_000) }),
      of("covers more", { coverage: 0.8 }),
      of("worth more", { coverage: 0.3, ...worth(2_000) }),
    ];
    expect(groupLosses(fates)[0]?.fates.map(({ title }) => title)).toEqual([
      "worth more",
      "worth less",
      "covers more",
      "covers less",
    ]);
  });

  it("puts what was nearest to winning first, and a reason of tomorrow last", () => {
    const losses = groupLosses(["eclipse", "mode", "geo", "no_match", "paced", "outranked", "geo"].map(lost));
    expect(losses.map(({ reason, fates }) => [reason, fates.length])).toEqual([
      ["outranked", 1],
      ["paced", 1],
      ["no_match", 1],
      ["geo", 2],
      ["mode", 1],
      ["eclipse", 1],
    ]);
    expect(losses.at(-1)).toMatchObject({ name: "eclipse", explanation: "Because of eclipse." });
  });

  it("takes winners and runners-up for no losers", () =>
    expect(groupLosses([fateOf({ outcome: "offered" }), fateOf({ outcome: "runner_up" })])).toEqual([]));
});

describe("summaryOf", () => {
  it.each([
    [["offered", "runner_up", "left_out"], 3, "1 of 3 places filled, 1 runner-up, 1 left out."],
    [["offered"], 1, "1 of 1 place filled, 0 runners-up, 0 left out."],
    [["left_out", "left_out"], 2, "Nothing would be offered, 0 runners-up, 2 left out."],
  ] as const)("says of %j for %d places: %s", (outcomes, limit, sentence) =>
    expect(summaryText(explanationOf(outcomes.map((outcome) => fateOf({ outcome }))), limit)).toBe(sentence),
  );
});

describe("scoreBars", () => {
  const best = fateOf({
    value: { ...VALUE, relevance: 1, value_micros: 4_400_000 },
    price_micros: 300_000,
    coverage: 1,
  });
  const barsOf = (fate: ExplainedOffer) => scoreBars(fate, scalesOf(explanationOf([best, fate]), "USD"));

  it("measures each part against the largest of the answer, and the price against bids", () => {
    const bars = barsOf(fateOf({ value: VALUE, price_micros: 100_000, coverage: 0.5 }));
    expect(bars.map(({ label, text, share }) => [label, text, Number(share.toFixed(3))])).toEqual([
      ["Covers", "50%", 0.5],
      ["Relevance", "0.50", 0.5],
      ["× Click rate", "1%", 1],
      ["× Newcomer", "1.10", 0.5],
      ["× Bid", "$0.40", 1],
      ["= Value", "$2.20", 0.5],
      ["Price", "$0.10", 0.25],
    ]);
  });

  it("leaves the click rate out where views are paid for, and compares its bid with bids for views alone", () => {
    const bars = barsOf(fateOf({ value: { ...VALUE, model: "cpm", bid_micros: 4_000_000 } }));
    expect(bars.map(({ label }) => label)).toEqual(["Covers", "Relevance", "× Bid", "= Value"]);
    expect(bars[2]).toMatchObject({ share: 1, text: "$4.00" });
    expect(barsOf(best)[4]).toMatchObject({ label: "× Bid", share: 1, text: "$0.40" });
  });

  it("shows the cosine of an offer whose vector was used", () =>
    expect(barsOf(fateOf({ cosine: 0.734 }))[1]).toMatchObject({ label: "Meaning", share: 0.734, text: "0.73" }));

  it("shows what clicks for the words of the query change, and nothing if they change nothing", () => {
    const clicked = fateOf({ value: { ...VALUE, term_affinity: 1.5 } });
    expect(barsOf(clicked)[4]).toMatchObject({ label: "× For these words", share: 0.75, text: "1.50" });
    const seen = fateOf({ value: { ...VALUE, model: "cpm" } });
    for (const fate of [fateOf({ value: VALUE }), seen]) {
      expect(barsOf(fate).map(({ label }) => label)).not.toContain("× For these words");
    }
  });

  it("knows nothing but the coverage of what a filter refused", () =>
    expect(barsOf(lost("geo")).map(({ label, text }) => [label, text])).toEqual([["Covers", "0%"]]));
});
