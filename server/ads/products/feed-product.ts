import { ExactNumber } from "../../kernel/exact-number";
import { isHttpUrl, isStorable } from "../field-checks";
import { categoryPath } from "./feed-category";
import { detailsOf } from "./feed-details";
import { parseGtin } from "./feed-gtin";
import { ID_LENGTH_MAX } from "./feed-limits";
import type { LineProblem } from "./feed-line";
import { type FeedPrice, parsePrice } from "./feed-price";
import { parseSalePeriod, type SalePeriod } from "./feed-sale";
import { numberText } from "./number-text";
import { plainText, plainUrl, unwrapped } from "./plain-text";
import type { Availability, Product } from "./product";

/** A product from a feed, ready to be stored; rowOf has its columns. */
export interface FeedProduct {
  externalId: string;
  title: string;
  description: string;
  link: string;
  imageLink: string | null;
  brand: string | null;
  gtin: string | null;
  itemGroupId: string | null;
  category: string | null;
  googleProductCategory: string | null;
  availability: Availability;
  currency: string | null;
  price: string | null;
  originalPrice: string | null;
  saleStartsAt: string | null;
  saleEndsAt: string | null;
  rating: Product["rating"];
  details: Product["details"];
  /** Fields that were ignored because they are invalid. */
  warnings: LineProblem[];
}

interface Line {
  fields: Fields;
  warnings: LineProblem[];
}

type Fields = Record<string, unknown>;

const AVAILABILITY: Readonly<Record<string, Availability>> = {
  in_stock: "in_stock",
  instock: "in_stock",
  available_for_order: "in_stock",
  limited_availability: "in_stock",
  out_of_stock: "out_of_stock",
  outofstock: "out_of_stock",
  discontinued: "out_of_stock",
  preorder: "preorder",
  pre_order: "preorder",
  backorder: "backorder",
  back_order: "backorder",
};

/** Thrown while a line is parsed; caught only by `readProduct`. */
class InvalidField extends Error {
  constructor(readonly problem: LineProblem) {
    super(problem.message);
  }
}

/** Returns the product that a line describes, or its error. */
export function readProduct(fields: Fields): FeedProduct | LineProblem {
  try {
    return productFrom({ fields, warnings: [] });
  } catch (cause) {
    if (cause instanceof InvalidField) return cause.problem;
    throw cause;
  }
}

function productFrom(line: Line): FeedProduct {
  const { fields, warnings } = line;
  const googleProductCategory = categoryPath(optional(fields, "google_product_category", 750));
  return {
    externalId: required(fields, "id", ID_LENGTH_MAX),
    title: required(fields, "title", 500),
    description: optional(fields, "description", 20_000) ?? "",
    link: url("link", required(fields, "link", 2000)),
    imageLink: imageOf(fields),
    brand: optional(fields, "brand", 200),
    gtin: gtinOf(line),
    itemGroupId: optional(fields, "item_group_id", 50),
    category: ownCategoryOf(fields) ?? googleProductCategory,
    googleProductCategory,
    availability: availabilityOf(fields),
    ...moneyOf(line),
    rating: ratingOf(fields.rating),
    details: detailsIn(fields),
    warnings,
  };
}

function required(fields: Fields, field: string, lengthMax: number): string {
  const value = optional(fields, field, lengthMax);
  if (value === null) throw new InvalidField({ code: "missing_field", message: `${field}: expected a value` });
  return value;
}

function optional(fields: Fields, field: string, lengthMax: number): string | null {
  const raw = fields[field];
  if (raw === undefined || raw === null) return null;
  const written = typeof raw === "string" ? raw : numberText(raw);
  if (written === undefined) throw invalid(field, "a string");
  const text = (READ[field] ?? unwrapped)(written).trim();
  if (text.length > lengthMax) {
    throw new InvalidField({ code: "field_too_long", message: `${field}: expected at most ${lengthMax} characters` });
  }
  if (!isStorable(text)) throw invalid(field, "text without NUL characters or broken surrogate pairs");
  if (text.includes(REPLACEMENT)) throw notDecoded(field);
  return text === "" ? null : text;
}

/** Bytes that cannot be decoded have become this character, see `feedText`. */
const REPLACEMENT = "\uFFFD";
const notDecoded = (field: string): InvalidField =>
  invalid(
    field,
    "UTF-8 text; it has bytes that are not, so save the feed as UTF-8, or send its charset in the Content-Type, such as text/csv; charset=windows-1252",
  );

/** How fields are read that have more than an id, a number or a word. */
const READ: Readonly<Partial<Record<string, (text: string) => string>>> = {
  title: plainText,
  description: plainText,
  brand: plainText,
  product_type: plainText,
  google_product_category: plainText,
  link: plainUrl,
  image_link: plainUrl,
};

const problemOf = (field: string, expected: string): LineProblem => ({
  code: "invalid_field",
  message: `${field}: expected ${expected}`,
});

const invalid = (field: string, expected: string): InvalidField => new InvalidField(problemOf(field, expected));

function url(field: string, value: string): string {
  if (!isHttpUrl(value)) throw invalid(field, "an absolute http or https URL");
  return value;
}

function imageOf(fields: Fields): string | null {
  const link = optional(fields, "image_link", 2000);
  return link === null ? null : url("image_link", link);
}

function gtinOf({ fields, warnings }: Line): string | null {
  const given = optional(fields, "gtin", 50);
  const gtin = given === null ? null : parseGtin(given);
  if (gtin === undefined) {
    const expected = "8, 12, 13 or 14 digits with a valid check digit, of a number that is not for one shop alone";
    warnings.push(problemOf("gtin", `${expected}; it was ignored`));
  }
  return gtin ?? null;
}

/** The first one of several. */
function ownCategoryOf(fields: Fields): string | null {
  const { product_type: own } = fields;
  return categoryPath(optional({ product_type: Array.isArray(own) ? own[0] : own }, "product_type", 750));
}

function availabilityOf(fields: Fields): Availability {
  const given = optional(fields, "availability", 40);
  if (given === null) return "in_stock";
  const word = given.toLowerCase().replaceAll(/[\s_-]+/g, "_");
  const known = Object.hasOwn(AVAILABILITY, word) ? AVAILABILITY[word] : undefined;
  if (!known) throw invalid("availability", "in_stock, out_of_stock, preorder or backorder");
  return known;
}

/** The price of a sale without dates is the price; that of a dated one is stored with its dates. */
function moneyOf(
  line: Line,
): Pick<FeedProduct, "currency" | "price" | "originalPrice" | "saleStartsAt" | "saleEndsAt"> {
  const { fields } = line;
  const price = amount(fields, "price");
  const sale = amount(fields, "sale_price");
  if (price && sale && sale.currency !== price.currency) throw invalid("sale_price", "the currency of price");
  const isLower = sale !== null && (!price || Number(sale.amount) < Number(price.amount));
  const period = isLower ? salePeriodOf(line) : "never";
  if (!sale || period === "never") {
    const currency = price?.currency ?? null;
    return { currency, price: price?.amount ?? null, originalPrice: null, saleStartsAt: null, saleEndsAt: null };
  }
  return {
    currency: sale.currency,
    price: sale.amount,
    originalPrice: price?.amount ?? null,
    saleStartsAt: period.startsAt,
    saleEndsAt: period.endsAt,
  };
}

function salePeriodOf({ fields, warnings }: Line): SalePeriod | "never" {
  const field = "sale_price_effective_date";
  const raw = fields[field] ?? "";
  const text = typeof raw === "string" ? raw.trim() : undefined;
  if (text === "") return ALWAYS;
  const period = text === undefined ? "unreadable" : parseSalePeriod(text);
  if (period === "reversed") {
    warnings.push(problemOf(field, "an end after the start; the sale price was ignored"));
    return "never";
  }
  if (period !== "unreadable") return period;
  const expected = "an ISO 8601 interval such as 2026-11-20T08:00+01:00/2026-11-27T23:59+01:00";
  warnings.push(problemOf(field, `${expected}; it was ignored, so the sale price applies at all times`));
  return ALWAYS;
}

const ALWAYS: SalePeriod = { startsAt: null, endsAt: null };

function amount(fields: Fields, field: string): FeedPrice | null {
  const raw = fields[field];
  if (raw === undefined || raw === null || raw === "") return null;
  const price = parsePrice(raw);
  if (price === "ambiguous") throw ambiguousPrice(field, raw);
  if (!price) throw invalid(field, "an amount and an ISO 4217 currency, such as 49.95 USD");
  return price;
}

/** Rejected rather than guessed: the two interpretations differ by a factor of 1,000. */
function ambiguousPrice(field: string, raw: unknown): InvalidField {
  const given = (typeof raw === "string" ? raw : JSON.stringify(raw)).trim();
  const message = `${field}: expected an unambiguous amount such as 1299.00 EUR; the mark in ${given} may separate thousands or decimals`;
  return new InvalidField({ code: "ambiguous_price", message });
}

function detailsIn({ product_detail: raw }: Fields): Product["details"] {
  const details = detailsOf(raw).filter(({ name, value }) => isStorable(name) && isStorable(value));
  if (details.some(({ name, value }) => `${name}${value}`.includes(REPLACEMENT))) throw notDecoded("product_detail");
  return details;
}

function ratingOf(raw: unknown): Product["rating"] {
  if (raw === undefined || raw === null || raw === "") return null;
  const given = Object(raw) as { value?: unknown; scale?: unknown; count?: unknown };
  const [value, scale, count] = [given.value, given.scale ?? 5, given.count].map((part) =>
    part instanceof ExactNumber ? Number(part.text) : part,
  );
  const fits = isNumber(value, 0, 100) && isNumber(scale, Math.max(1, value), 100);
  if (!fits || !(count === undefined || (isNumber(count, 0, 1e12) && Number.isInteger(count)))) {
    throw invalid("rating", "{ value, scale?, count? } with a value no higher than the scale");
  }
  return { value, scale, ...(count !== undefined && { count }) };
}

const isNumber = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && value >= min && value <= max;
