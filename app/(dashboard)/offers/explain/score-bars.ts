import { amountOf, formatMoney } from "../../../format/money";
import { formatShare } from "../../../format/numbers";
import type { Bar } from "./bars";
import type { ExplainedOffer, Explanation } from "./explained-offer";

type Value = NonNullable<ExplainedOffer["value"]>;

/** The shared scale of the bars of one explanation, so that offers can be compared. */
export interface Scales {
  relevance: number;
  clickRate: number;
  value: number;
  /** Bids for a click and bids for a thousand views are no rivals in length. */
  bid: Record<Value["model"], number>;
  neededCoverage: number | undefined;
  currency: string;
}

/** An exploration factor goes from 1 to this. */
const EXPLORATION_MAX = 1.2;
/** The same for the factor of clicks for the words of the query. */
const AFFINITY_MAX = 2;
/** A smaller distance from 1 changes no number on the page. */
const FACTOR_SHOWN = 0.005;

export function scalesOf({ fates, reading }: Explanation, currency: string): Scales {
  const values = fates.flatMap(({ value }) => value ?? []);
  const largest = (numbers: number[]) => numbers.reduce((most, number) => Math.max(most, number), 0);
  const bid = (model: Value["model"]) => largest(values.filter((v) => v.model === model).map((v) => v.bid_micros));
  return {
    relevance: Math.max(1, largest(values.map(({ relevance }) => relevance))),
    clickRate: largest(values.map(({ click_rate }) => click_rate)),
    value: largest(values.map(({ value_micros }) => value_micros)),
    bid: { cpc: bid("cpc"), cpm: bid("cpm") },
    neededCoverage: reading?.needed_coverage ?? undefined,
    currency,
  };
}

/** The parts of an offer's score as bars: what it covers, the factors of its value, the value, and its price. */
export function scoreBars({ coverage, cosine, value, price_micros }: ExplainedOffer, scales: Scales): Bar[] {
  const covers: Bar = {
    label: "Covers",
    share: coverage,
    text: wholePercent(coverage),
    tone: "fit",
    mark: scales.neededCoverage,
  };
  const near: Bar[] =
    cosine === null ? [] : [{ label: "Meaning", share: Math.max(0, cosine), text: cosine.toFixed(2), tone: "fit" }];
  if (!value) return [covers, ...near];
  const bars = [covers, ...near, ...factorsOf(value, scales), valueBar(value, scales)];
  if (price_micros === null) return bars;
  const share = ratio(price_micros, scales.bid[value.model]);
  return [...bars, { label: "Price", share, text: money(price_micros, scales), tone: "price" }];
}

function factorsOf(value: Value, scales: Scales): Bar[] {
  const { relevance, click_rate, exploration, term_affinity: affinity, bid_micros, model } = value;
  const bid = { label: "× Bid", share: ratio(bid_micros, scales.bid[model]), text: money(bid_micros, scales) };
  const rate = { label: "× Click rate", share: ratio(click_rate, scales.clickRate), text: formatShare(click_rate) };
  const fresh = { label: "× Newcomer", share: freshness(exploration), text: exploration.toFixed(2) };
  const clicked = { label: "× For these words", share: affinity / AFFINITY_MAX, text: affinity.toFixed(2) };
  return [
    { label: "Relevance", share: ratio(relevance, scales.relevance), text: relevanceText(relevance) },
    // A thousand views are paid for as they are: neither clicks nor the lack of them change their value.
    ...(model === "cpc" ? [rate] : []),
    ...(model === "cpc" && exploration - 1 > FACTOR_SHOWN ? [fresh] : []),
    ...(model === "cpc" && Math.abs(affinity - 1) > FACTOR_SHOWN ? [clicked] : []),
    bid,
  ].map((bar) => ({ ...bar, tone: "factor" }));
}

const valueBar = ({ value_micros }: Value, scales: Scales): Bar => ({
  label: "= Value",
  share: ratio(value_micros, scales.value),
  text: money(value_micros, scales),
  tone: "value",
});

/** "for a click": what a bid and its price buy. */
export const boughtBy = (model: Value["model"]): string => (model === "cpc" ? "for a click" : "for 1,000 views");

/** An amount in the installation's currency, and without one while that is not known yet. */
export const money = (micros: number, { currency }: Pick<Scales, "currency">): string =>
  currency === "" ? amountOf(Math.round(micros)) : formatMoney(micros, currency);

export const wholePercent = (share: number): string => `${Math.round(share * 100)}%`;

/** Relevance falls steeply, so what fits badly is nearly, but never quite, irrelevant. */
const relevanceText = (relevance: number): string =>
  relevance > 0 && relevance < 0.005 ? "< 0.01" : relevance.toFixed(2);

const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

const freshness = (exploration: number): number => (exploration - 1) / (EXPLORATION_MAX - 1);
