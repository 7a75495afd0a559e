import { isCurrency } from "../field-checks";
import { numberText } from "./number-text";

export interface FeedPrice {
  /** A plain decimal with at most four decimal places. */
  amount: string;
  currency: string;
}

const TEXT_LENGTH_MAX = 40;
const AMOUNT = /^\d{1,10}(\.\d{1,4})?$/;
/** Currency signs that are unambiguous; `$`, `£`, `¥` and `kr` belong to several currencies and are not included. */
const CURRENCY_OF_SIGN: Readonly<Record<string, string>> = {
  "€": "EUR",
  "₹": "INR",
  "₺": "TRY",
  "₽": "RUB",
  "₴": "UAH",
  "₪": "ILS",
  "₫": "VND",
  "₱": "PHP",
  "₦": "NGN",
  zł: "PLN",
  kč: "CZK",
};
const SIGN = `[a-z]{3}|${Object.keys(CURRENCY_OF_SIGN).join("|")}`;
const PRICE = new RegExp(`^(${SIGN})? *(\\d[\\d.,' ]*?)([.,][-–—]{1,2})? *(${SIGN})?$`, "i");
/** Currencies whose countries never write decimals with a comma, so a comma before three digits separates thousands. */
const WRITTEN_WITH_A_POINT = new Set("AUD CNY GBP HKD INR MYR NZD PHP SGD THB TWD USD".split(" "));
const INVISIBLE = /[\u061C\u200E\u200F]/g;
const SPACES = /[\u00A0\u2007\u2009\u202F]/g;
const APOSTROPHES = /[\u2019\u02BC]/g;

/**
 * Parses `49.95 USD`, `USD 49.95`, `1.299,00 EUR`, `1'299.– CHF`, `1 299,00 €`, or `{ value, currency }`. Returns
 * undefined if it is not a price, and "ambiguous" if countries read it differently. Rules for the number:
 * - Spaces and apostrophes separate thousands. If both a point and a comma occur, the last one is the decimal mark and
 *   the other one separates thousands. A mark that occurs more than once separates thousands.
 * - A single point or comma is the decimal mark unless exactly three digits follow it.
 * - Between one to three digits and exactly three digits, a mark separates thousands in a currency without decimals
 *   (ISO 4217). A point is the decimal mark in a currency with three decimals. A comma separates thousands in a
 *   currency whose countries write decimals with a point (`1,299 USD`). Everything else is ambiguous: `1.299 EUR` is
 *   1299 in Germany, but 1.299 by the rules of Google Merchant, which programs that do not round also follow.
 * - Thousands are grouped by three digits, or as lakhs with commas (`1,29,900`).
 */
export function parsePrice(raw: unknown): FeedPrice | "ambiguous" | undefined {
  if (typeof raw === "string") return textPrice(raw);
  if (typeof raw !== "object" || raw === null) return undefined;
  const { value, currency } = raw as { value?: unknown; currency?: unknown };
  if (typeof currency !== "string") return undefined;
  if (typeof value === "string") return textPrice(`${value} ${currency}`);
  const code = currencyOf(currency.trim());
  // A JSON number is unambiguous; one with an exponent has the digits of its value.
  const written = numberText(value);
  const amount = written !== undefined && /e/i.test(written) ? String(Number(written)) : written;
  return amount !== undefined && AMOUNT.test(amount) && code ? { amount, currency: code } : undefined;
}

function textPrice(raw: string): FeedPrice | "ambiguous" | undefined {
  if (raw.length > TEXT_LENGTH_MAX) return undefined;
  const text = raw.replace(INVISIBLE, "").replace(SPACES, " ").replace(APOSTROPHES, "'").trim();
  const [, before, digits = "", dash, behind] = PRICE.exec(text) ?? [];
  if (Boolean(before) === Boolean(behind)) return undefined;
  const currency = currencyOf(before ?? behind ?? "");
  if (!currency) return undefined;
  // In `1.299,-` the comma is already known to be the decimal mark.
  const mark = dash ? undefined : decimalMarkOf(digits, currency);
  if (mark === "ambiguous") return mark;
  const amount = amountOf(digits, mark);
  return amount === undefined ? undefined : { amount, currency };
}

function currencyOf(sign: string): string | undefined {
  const code = CURRENCY_OF_SIGN[sign.toLowerCase()] ?? sign.toUpperCase();
  return isCurrency(code) ? code : undefined;
}

function decimalMarkOf(digits: string, currency: string): "." | "," | "ambiguous" | undefined {
  const [points, commas] = [digits.split(".").length - 1, digits.split(",").length - 1];
  if (points > 0 && commas > 0) return digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  if (points + commas !== 1) return undefined;
  const mark = points === 1 ? "." : ",";
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) return mark;
  const decimals = decimalsOf(currency);
  if (decimals === 0) return undefined;
  if (mark === ".") return decimals === 3 ? mark : "ambiguous";
  return decimals === 2 && WRITTEN_WITH_A_POINT.has(currency) ? undefined : "ambiguous";
}

/** The number without separators; undefined unless its thousands are grouped by a single mark. */
function amountOf(digits: string, decimalMark: "." | "," | undefined): string | undefined {
  const [whole = "", fraction, ...more] = decimalMark ? digits.split(decimalMark) : [digits];
  if (more.length > 0 || !/^(\d+|\d{1,3}([.,' ])\d{3}(\2\d{3})*|\d{1,2}(,\d{2})+,\d{3})$/.test(whole)) return undefined;
  const plain = whole.replace(/\D/g, "") + (fraction === undefined ? "" : `.${fraction}`);
  return AMOUNT.test(plain) ? plain : undefined;
}

const decimals = new Map<string, number>();

/** The number of decimals of a currency: 0, 2 or 3. */
function decimalsOf(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  decimals.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}
