import type { Signal } from "../serving/offer-request";
import type { OfferPrice } from "../serving/serving";

/** How much a person would pay, in units of a currency (49.9, not micros). */
export interface PricePreference {
  min?: number | undefined;
  max?: number | undefined;
  /** The currency of the budget; empty if it fits any price. */
  currency: string;
  /** The confidence in the budget, 0 to 1. */
  confidence: number;
  /**
   * From -1 (prefers expensive items) over 0 (indifferent) to 1 (prefers cheap items), already weighted by confidence.
   */
  sensitivity: number;
}

const MAX_NAMES = ["budget", "max_price", "price_max", "budget_max", "max_budget"];
const MIN_NAMES = ["min_price", "price_min", "budget_min", "min_budget"];
const LEVEL_NAMES = ["level", "sensitivity", "value"];
/** Attributes that only describe prices. */
export const PRICE_ATTRIBUTES: ReadonlySet<string> = new Set([...MAX_NAMES, ...MIN_NAMES, ...LEVEL_NAMES, "currency"]);
const LEVELS: Readonly<Record<string, number>> = { high: 1, medium: 0.5, moderate: 0.5, low: -0.25, none: 0 };

/** The minimum share of its score that an item keeps, however expensive it is. */
const OVER_BUDGET_LEAST = 0.3;
const UNDER_BUDGET_LEAST = 0.6;
/** At half the usual price a score gains 15 % at full price sensitivity; at twice the price it loses as much. */
const SENSITIVITY_POWER = 0.2;
const SENSITIVITY_MOST = 1.25;

const SIGNS: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP" };
const UNIT_NAMES: Readonly<Record<string, string>> = {
  dollar: "USD",
  dollars: "USD",
  bucks: "USD",
  usd: "USD",
  euro: "EUR",
  euros: "EUR",
  eur: "EUR",
  pound: "GBP",
  pounds: "GBP",
  gbp: "GBP",
};
const LIMIT_WORDS =
  "under|below|less than|cheaper than|at most|max|maximum|up to|budget|budget of|budget is|unter|bis|bis zu|höchstens|moins de|jusqu'à|menos de|hasta";
const AMOUNT = "\\d{1,9}(?:[.,]\\d{1,3}){0,3}k?";
const ASKED = new RegExp(
  `(?:^|\\s)(?:${LIMIT_WORDS})\\s{1,3}(?:([$€£])\\s?(${AMOUNT})|(${AMOUNT})\\s?([$€£]|(?:${Object.keys(UNIT_NAMES).join("|")})(?![\\p{L}])))`,
  "iu",
);

/** What the query ("under $800") and the signals, strongest first, say about prices; undefined if they say nothing. */
export function pricePreferenceOf(query: string, signals: readonly Signal[]): PricePreference | undefined {
  const budget = budgetInText(query) ?? budgetIn(signals);
  const sensitivity = sensitivityIn(signals);
  if (!budget && sensitivity === 0) return undefined;
  return { ...(budget ?? { currency: "", confidence: 0 }), sensitivity };
}

type Budget = Omit<PricePreference, "sensitivity">;

function budgetInText(text: string): Budget | undefined {
  const [, sign, before, after, unit = ""] = ASKED.exec(text) ?? [];
  const max = amountOf(before ?? after);
  if (max === undefined) return undefined;
  return { max, currency: SIGNS[sign ?? unit] ?? UNIT_NAMES[unit.toLowerCase()] ?? "", confidence: 1 };
}

function budgetIn(signals: readonly Signal[]): Budget | undefined {
  for (const { attributes = {}, confidence = 1 } of signals) {
    const [max, min] = [firstAmount(attributes, MAX_NAMES), firstAmount(attributes, MIN_NAMES)];
    if (confidence <= 0 || (max === undefined && min === undefined)) continue;
    const currency = typeof attributes.currency === "string" ? attributes.currency.toUpperCase() : "";
    return { max, min, currency, confidence };
  }
  return undefined;
}

function sensitivityIn(signals: readonly Signal[]): number {
  const signal = signals.find(({ category }) => category === "price_sensitivity");
  if (!signal) return 0;
  const { attributes = {}, subject = "", confidence = 1 } = signal;
  const named = [...LEVEL_NAMES.map((name) => attributes[name]), subject].map(levelOf);
  return confidence * (named.find((level) => level !== undefined) ?? 1);
}

/** "high", "low", or a number from 0 to 1. */
export function levelOf(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 && value <= 1 ? value : undefined;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  return Object.hasOwn(LEVELS, text) ? LEVELS[text] : undefined;
}

const firstAmount = (attributes: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined =>
  names
    .map((name) => (Object.hasOwn(attributes, name) ? amountOf(attributes[name]) : undefined))
    .find((amount) => amount !== undefined);

/** Parses 800, "800", "$1,200.50" or "1.2k"; undefined if it is not a positive amount. */
function amountOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value > 0 ? value : undefined;
  const [, digits, thousand] =
    typeof value === "string" ? (/^\D{0,4}(\d{1,9}(?:[.,]\d{1,3}){0,3})(k?)/i.exec(value.slice(0, 40)) ?? []) : [];
  if (!digits) return undefined;
  // A mark before three digits groups thousands; a mark before one or two digits is the decimal mark.
  const amount = Number(digits.replace(/[.,](?=\d{3})/g, "").replace(",", ".")) * (thousand ? 1000 : 1);
  return amount > 0 && Number.isFinite(amount) ? amount : undefined;
}

/**
 * The effect of a price on an item's score: a factor of 1 within the budget or without a known price, less outside.
 * `usual` is the median price of the matches, with which a price-sensitive person compares.
 */
export function priceFit(price: OfferPrice | undefined, preference: PricePreference, usual: number): number {
  if (!price || price.amount <= 0) return 1;
  const { min, max, currency, confidence, sensitivity } = preference;
  const { amount } = price;
  let fit = 1;
  if (currency === "" || currency === price.currency) {
    if (max !== undefined && amount > max) fit = Math.max(OVER_BUDGET_LEAST, max / amount);
    else if (min !== undefined && amount < min) fit = Math.max(UNDER_BUDGET_LEAST, amount / min);
  }
  const lean = usual > 0 ? (usual / amount) ** (SENSITIVITY_POWER * sensitivity) : 1;
  return (1 - confidence * (1 - fit)) * Math.min(SENSITIVITY_MOST, Math.max(1 / SENSITIVITY_MOST, lean));
}

/** The median of prices; 0 if there are none. */
export function medianPrice(prices: readonly number[]): number {
  const sorted = prices.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
