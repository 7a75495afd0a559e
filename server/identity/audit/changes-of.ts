import { isDeepStrictEqual } from "node:util";
import { REDACTED } from "../../kernel/redacted";
import type { Json } from "../stored-json";

const VALUE_LENGTH_MAX = 500;

/** Fields that every update changes, so they carry no information. */
const UNTOLD = "updated_at";

/** A field's value before and after; a type and not an interface, so that it is assignable to JSON. */
export type Changes = { [field: string]: { from: Json; to: Json } };

/**
 * The fields of a wire object (which never contains a secret) that an update changed; empty when there are none. A
 * string, or the JSON text of a list or object, is truncated to 500 characters. Of `hidden` fields no value is shown.
 */
export function changesOf<T extends object>(before: T, after: T, hidden: readonly (keyof T)[] = []): Changes {
  const earlier = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([field, to]) => field !== UNTOLD && !isDeepStrictEqual(earlier.get(field), to),
  );
  return Object.fromEntries(
    changed.map(([field, to]) => {
      const isHidden = hidden.includes(field as keyof T);
      const shown = (value: unknown) => (isHidden ? REDACTED : bounded(value));
      return [field, { from: shown(earlier.get(field)), to: shown(to) }];
    }),
  );
}

function bounded(value: unknown): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  // By code points, so that no surrogate pair is split.
  if (text.length > VALUE_LENGTH_MAX) return `${[...text].slice(0, VALUE_LENGTH_MAX).join("")}…`;
  return typeof value === "string" ? value : (JSON.parse(text) as Json);
}
