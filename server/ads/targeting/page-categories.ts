import { foldCategory } from "../serving/category-path";
import type { Signal } from "../serving/offer-request";

const CATEGORIES_MAX = 5;
/** Guessed page categories never exclude a campaign. */
const CONFIDENCE_NEEDED = 0.5;

/** The page's categories, folded, from content-category signals; campaigns target them like those of a channel. */
export function pageCategories(signals: readonly Signal[]): string[] {
  const sure = signals.filter(({ iab, confidence = 1 }) => isOfContent(iab?.type) && confidence >= CONFIDENCE_NEEDED);
  return sure.flatMap(({ paths = [] }) => paths.map(foldCategory)).slice(0, CATEGORIES_MAX);
}

const isOfContent = (type: string | undefined): boolean => (type ?? "content").trim().toLowerCase() === "content";
