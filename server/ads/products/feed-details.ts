import type { Product } from "./product";

const DETAILS_MAX = 500;
const NAME_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 1000;

/**
 * Pairs of a `product_detail`: `{ attribute_name, attribute_value }` (or `{ name, value }`), a list of them, or
 * Merchant's text `section:name:value,…`. They serve matching alone, so what is over the limits is cut, not refused.
 */
export function detailsOf(raw: unknown): Product["details"] {
  return (Array.isArray(raw) ? raw : [raw])
    .flatMap((item) => (typeof item === "string" ? item.split(",").map(pairOf) : [fieldsOf(item)]))
    .map(({ name, value }) => ({ name: shown(name, NAME_LENGTH_MAX), value: shown(value, VALUE_LENGTH_MAX) }))
    .filter(({ name, value }) => name !== "" && value !== "")
    .slice(0, DETAILS_MAX);
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

/** A text, number or truth value as text; anything else as none. A cut never leaves half a surrogate pair. */
function shown(raw: unknown, lengthMax: number): string {
  if (typeof raw !== "string" && typeof raw !== "number" && typeof raw !== "boolean") return "";
  const text = String(raw).trim();
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/\p{Surrogate}$/u, "");
}
