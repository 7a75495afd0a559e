import { fold } from "../../guard/text/tokenizer";

/** A category path in the form used for comparison: levels folded and trimmed, joined by `>`. */
export const foldCategory = (path: string): string =>
  path
    .split(">")
    .map((level) => fold(level).trim())
    .filter(Boolean)
    .join(">");

/** Whether `path` equals `above` or is below it; both are folded. */
export const isWithin = (path: string, above: string): boolean => path === above || path.startsWith(`${above}>`);

/** Whether any path of one list equals, contains or is within a path of the other. */
export const categoriesMeet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((a) => others.some((b) => isWithin(a, b) || isWithin(b, a)));
