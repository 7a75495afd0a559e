import type { z } from "zod";
import { ExactNumber } from "../kernel/exact-number";
import { inputFailure } from "../kernel/input-failure";

/**
 * Returns the output of the schema; throws `invalid_request` with the path of the first invalid field, such as
 * `signals[0].confidence`. A field of a number takes the nearest double of a decimal with too many digits, which is then
 * also in `value`.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  let rounded = 0;
  for (const { path } of parsed.error.issues) rounded += roundAt(value, path);
  if (rounded === 0) throw inputFailure(parsed.error);
  return parseInput(schema, value);
}

/** Replaces the decimals at a path and below it by doubles, and returns how many. */
function roundAt(root: unknown, path: readonly PropertyKey[]): number {
  let [holder, at]: [unknown, PropertyKey | undefined] = [undefined, undefined];
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return 0;
    [holder, at] = [value, part];
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  if (!(value instanceof ExactNumber)) return roundWithin(value);
  if (!value.isRoundable || at === undefined) return 0;
  (holder as Record<PropertyKey, unknown>)[at] = Number(value.text);
  return 1;
}

/** Within a union, the issue has the path of the union. */
function roundWithin(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let rounded = 0;
  for (const name of Object.keys(value)) rounded += roundAt(value, [name]);
  return rounded;
}
