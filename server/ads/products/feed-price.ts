import { isCurrency } from "../fields";

export interface FeedPrice {
  /** A plain decimal with at most four places, exact. */
  amount: string;
  currency: string;
}

const PRICE_LENGTH_MAX = 40;

/** `49.95 USD`, `USD 49.95`, `1.299,00 EUR`, or `{ value, currency }`; undefined for anything else. */
export function parsePrice(raw: unknown): FeedPrice | undefined {
  const text = textOf(raw);
  if (text === undefined || text.length > PRICE_LENGTH_MAX) return undefined;
  const found = /^([a-z]{3})?([\d.,' \u00A0\u202F]+)([a-z]{3})?$/i.exec(text);
  if (!found) return undefined;
  const [, before, digits = "", behind] = found;
  if (Boolean(before) === Boolean(behind)) return undefined;
  const currency = (before ?? behind ?? "").toUpperCase();
  const amount = amountOf(digits.replace(/[' \u00A0\u202F]/g, ""));
  return amount !== undefined && isCurrency(currency) ? { amount, currency } : undefined;
}

function textOf(raw: unknown): string | undefined {
  if (typeof raw === "string") return raw.trim();
  if (typeof raw !== "object" || raw === null) return undefined;
  const { value, currency } = raw as { value?: unknown; currency?: unknown };
  const isPrice = (typeof value === "number" || typeof value === "string") && typeof currency === "string";
  return isPrice ? `${value} ${currency}` : undefined;
}

/** The mark that comes last is the decimal one, unless it stands where only a thousands mark can. */
function amountOf(digits: string): string | undefined {
  const decimalMark = decimalMarkOf(digits);
  const [whole = "", fraction, ...rest] = decimalMark ? digits.split(decimalMark) : [digits];
  if (rest.length > 0 || !/^(\d+|\d{1,3}([.,]\d{3})+)$/.test(whole)) return undefined;
  const plain = whole.replace(/[.,]/g, "") + (fraction === undefined ? "" : `.${fraction}`);
  return /^\d{1,10}(\.\d{1,4})?$/.test(plain) ? plain : undefined;
}

function decimalMarkOf(digits: string): "." | "," | undefined {
  const [dots, commas] = [digits.split(".").length - 1, digits.split(",").length - 1];
  if (dots > 0 && commas > 0) return digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  if (dots === 1) return ".";
  return commas === 1 && !/^\d{1,3},\d{3}$/.test(digits) ? "," : undefined;
}
