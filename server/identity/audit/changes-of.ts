import { isDeepStrictEqual } from "node:util";
import type { Json } from "./entry-hash";

const VALUE_LENGTH_MAX = 500;

/** Every update moves it, so it says nothing. */
const UNTOLD = "updated_at";

/** A field's value before and after; a type and not an interface, so that it counts as JSON. */
export type Changes = { [field: string]: { from: Json; to: Json } };

/**
 * What an update changed, field by field, on a wire object (which never holds a secret); empty when it changed nothing.
 * A text, or a list or object as JSON text, is cut after 500 characters.
 */
export function changesOf<T extends object>(before: T, after: T): Changes {
  const earlier = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([field, to]) => field !== UNTOLD && !isDeepStrictEqual(earlier.get(field), to),
  );
  return Object.fromEntries(
    changed.map(([field, to]) => [field, { from: bounded(earlier.get(field)), to: bounded(to) }]),
  );
}

function bounded(value: unknown): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  // By code points, so that no pair of surrogates is cut in two.
  if (text.length > VALUE_LENGTH_MAX) return `${[...text].slice(0, VALUE_LENGTH_MAX).join("")}…`;
  return typeof value === "string" ? value : (JSON.parse(text) as Json);
}
