import { isHttpUrl, isStorable } from "../fields";
import { detailsOf } from "./feed-details";
import type { LineProblem } from "./feed-line";
import { type FeedPrice, parsePrice } from "./feed-price";
import type { Availability, Product } from "./product";

/** A product as a feed gives it, ready to be stored. */
export interface FeedProduct {
  externalId: string;
  title: string;
  description: string;
  link: string;
  imageLink: string | null;
  brand: string | null;
  gtin: string | null;
  category: string | null;
  availability: Availability;
  currency: string | null;
  price: string | null;
  originalPrice: string | null;
  rating: Product["rating"];
  details: Product["details"];
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

/** Thrown while a line is read, and only caught by `readProduct`. */
class Unfit extends Error {
  constructor(readonly problem: LineProblem) {
    super(problem.message);
  }
}

/** The product that a line describes, or what is wrong with it; `now` decides whether a dated sale is on. */
export function readProduct(fields: Fields, now: Date): FeedProduct | LineProblem {
  try {
    return productFrom(fields, now);
  } catch (cause) {
    if (cause instanceof Unfit) return cause.problem;
    throw cause;
  }
}

function productFrom(fields: Fields, now: Date): FeedProduct {
  return {
    externalId: required(fields, "id", 200),
    title: required(fields, "title", 500),
    description: optional(fields, "description", 20_000) ?? "",
    link: url("link", required(fields, "link", 2000)),
    imageLink: imageOf(fields),
    brand: optional(fields, "brand", 200),
    gtin: optional(fields, "gtin", 50),
    category: categoryOf(fields),
    availability: availabilityOf(fields),
    ...moneyOf(fields, now),
    rating: ratingOf(fields.rating),
    details: detailsOf(fields.product_detail).filter(({ name, value }) => isStorable(name) && isStorable(value)),
  };
}

function required(fields: Fields, field: string, lengthMax: number): string {
  const value = optional(fields, field, lengthMax);
  if (value === null) throw new Unfit({ code: "missing_field", message: `${field}: expected a value` });
  return value;
}

function optional(fields: Fields, field: string, lengthMax: number): string | null {
  const raw = fields[field];
  if (raw === undefined || raw === null) return null;
  if (typeof raw !== "string" && typeof raw !== "number") throw invalid(field, "a text");
  const text = String(raw).trim();
  if (text.length > lengthMax) {
    throw new Unfit({ code: "field_too_long", message: `${field}: expected at most ${lengthMax} characters` });
  }
  if (!isStorable(text)) throw invalid(field, "text without NUL characters or broken surrogate pairs");
  // U+FFFD is what decoding leaves of bytes that are not UTF-8.
  if (text.includes("\uFFFD")) throw invalid(field, "UTF-8; the feed seems to be in another encoding");
  return text === "" ? null : text;
}

const invalid = (field: string, expected: string): Unfit =>
  new Unfit({ code: "invalid_field", message: `${field}: expected ${expected}` });

function url(field: string, value: string): string {
  if (!isHttpUrl(value)) throw invalid(field, "an absolute http or https URL");
  return value;
}

function imageOf(fields: Fields): string | null {
  const link = optional(fields, "image_link", 2000);
  return link === null ? null : url("image_link", link);
}

function categoryOf(fields: Fields): string | null {
  const { product_type: own } = fields;
  const path =
    optional(Array.isArray(own) ? { product_type: own[0] } : fields, "product_type", 750) ??
    optional(fields, "google_product_category", 750);
  const levels = path?.split(">").map((level) => level.trim());
  return levels?.filter(Boolean).join(">") || null;
}

function availabilityOf(fields: Fields): Availability {
  const given = optional(fields, "availability", 40);
  if (given === null) return "in_stock";
  const word = given.toLowerCase().replaceAll(/[ -]/g, "_");
  const known = Object.hasOwn(AVAILABILITY, word) ? AVAILABILITY[word] : undefined;
  if (!known) throw invalid("availability", "in_stock, out_of_stock, preorder or backorder");
  return known;
}

function moneyOf(fields: Fields, now: Date): Pick<FeedProduct, "currency" | "price" | "originalPrice"> {
  const price = amount(fields, "price");
  const sale = isOn(fields.sale_price_effective_date, now) ? amount(fields, "sale_price") : null;
  if (price && sale && sale.currency !== price.currency) throw invalid("sale_price", "the currency of price");
  const asked = sale && (!price || Number(sale.amount) < Number(price.amount)) ? sale : price;
  return {
    currency: asked?.currency ?? null,
    price: asked?.amount ?? null,
    originalPrice: price && asked !== price ? price.amount : null,
  };
}

function amount(fields: Fields, field: string): FeedPrice | null {
  const raw = fields[field];
  if (raw === undefined || raw === null || raw === "") return null;
  const price = parsePrice(raw);
  if (!price) throw invalid(field, "an amount and an ISO 4217 currency such as 49.95 USD");
  return price;
}

/** Whether a sale `start/end` is on; without readable dates it is. */
function isOn(period: unknown, now: Date): boolean {
  if (typeof period !== "string") return true;
  const [start = Number.NaN, end = Number.NaN] = period.split("/").map((date) => Date.parse(date));
  return !(now.getTime() < start || now.getTime() > end);
}

function ratingOf(raw: unknown): Product["rating"] {
  if (raw === undefined || raw === null || raw === "") return null;
  const { value, scale = 5, count } = Object(raw) as { value?: unknown; scale?: unknown; count?: unknown };
  const fits = isNumber(value, 0, 100) && isNumber(scale, Math.max(1, value), 100);
  if (!fits || !(count === undefined || (isNumber(count, 0, 1e12) && Number.isInteger(count)))) {
    throw invalid("rating", "{ value, scale?, count? } with value at most the scale");
  }
  return { value, scale, ...(count !== undefined && { count }) };
}

const isNumber = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && value >= min && value <= max;
