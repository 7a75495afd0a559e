import { numberText } from "./number-text";
import { plainText } from "./plain-text";
import type { Product } from "./product";

const DETAILS_MAX = 500;
const NAME_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 1000;

/**
 * Pairs of a `product_detail`: `{ attribute_name, attribute_value }` (or `{ name, value }`), a list of these, or
 * Merchant's text format `section:name:value,…`. They are used only for matching, so values over the limits are
 * truncated instead of rejected.
 */
export function detailsOf(raw: unknown): Product["details"] {
  const details: Product["details"] = [];
  let read = 0;
  for (const pair of pairsOf(raw)) {
    if (++read > DETAILS_MAX) break;
    const [name, value] = [shown(pair.name, NAME_LENGTH_MAX), shown(pair.value, VALUE_LENGTH_MAX)];
    if (name !== "" && value !== "") details.push({ name, value });
  }
  return details;
}

function* pairsOf(raw: unknown): Generator<Pair> {
  for (const item of Array.isArray(raw) ? raw : [raw]) {
    if (typeof item === "string") yield* item.split(",", DETAILS_MAX).map(pairOf);
    else yield fieldsOf(item);
  }
}

interface Pair {
  name?: unknown;
  value?: unknown;
}

function fieldsOf(item: unknown): Pair {
  const { attribute_name, attribute_value, name, value } = Object(item) as Pair & {
    attribute_name?: unknown;
    attribute_value?: unknown;
  };
  return { name: attribute_name ?? name, value: attribute_value ?? value };
}

function pairOf(text: string): Pair {
  const parts = text.split(":");
  const [name, ...value] = parts.length > 2 ? parts.slice(1) : parts;
  return { name, value: value.join(":") };
}

/**
 * Converts a string, number or boolean to text and anything else to an empty string. Truncation never splits a
 * surrogate pair.
 */
function shown(raw: unknown, lengthMax: number): string {
  const written = typeof raw === "boolean" ? String(raw) : typeof raw === "string" ? plainText(raw) : numberText(raw);
  const text = written?.trim() ?? "";
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/\p{Surrogate}$/u, "");
}
