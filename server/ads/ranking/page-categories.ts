import { foldCategory } from "./category-path";
import type { Signal } from "./offer-request";

const CATEGORIES_MAX = 5;
/** A guess about the page shuts nobody out. */
const CONFIDENCE_NEEDED = 0.5;

/** The categories of the page, folded, as content categories of signals name them: campaigns target them like a channel's. */
export function pageCategories(signals: readonly Signal[]): string[] {
  const sure = signals.filter(({ iab, confidence = 1 }) => isOfContent(iab?.type) && confidence >= CONFIDENCE_NEEDED);
  return sure.flatMap(({ paths = [] }) => paths.map(foldCategory)).slice(0, CATEGORIES_MAX);
}

const isOfContent = (type: string | undefined): boolean => (type ?? "content").trim().toLowerCase() === "content";
