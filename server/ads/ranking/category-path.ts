import { fold } from "./tokenizer";

/** A category as it is compared: levels folded and trimmed, joined by `>`. */
export const foldCategory = (path: string): string =>
  path
    .split(">")
    .map((level) => fold(level).trim())
    .filter(Boolean)
    .join(">");

/** Whether `path` is `above` or lies below it; both folded. */
export const isWithin = (path: string, above: string): boolean => path === above || path.startsWith(`${above}>`);

/** Whether any path of one list is, contains or lies in one of the other. */
export const categoriesMeet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((a) => others.some((b) => isWithin(a, b) || isWithin(b, a)));
