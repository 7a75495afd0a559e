import type { Snapshot } from "../matching/snapshot";
import { adjacentShare } from "./fit-features";
import type { Match } from "./match-need";

const ADJACENT_WEIGHT = 0.1;
const HEAD_WEIGHT = 0.05;
const OTHER_HEAD_SHARE = 0.5;

interface ScoredItem {
  doc: number;
  score: number;
}

/**
 * A score relative to the best possible one, plus what the order of the title adds: words that stand together as in the
 * request, and a wanted word that names what the item is, best the last one. The weights were measured on catalogues
 * of two trades.
 */
export function refineScore({ doc, score }: ScoredItem, { index }: Snapshot, { wanted, coverable }: Match): number {
  if (coverable <= 0) return score;
  const adjacent = adjacentShare(wanted, doc, index);
  return score / coverable + ADJACENT_WEIGHT * adjacent + HEAD_WEIGHT * headShare(doc, wanted, index);
}

function headShare(doc: number, wanted: Match["wanted"], { titles }: Snapshot["index"]): number {
  const head = titles.heads[doc] as number;
  if (head < 0) return 0;
  const last = wanted.findLast(({ isKnown }) => isKnown);
  for (const term of wanted) {
    if (term.sources.some(({ list }) => list.id === head)) return term === last ? 1 : OTHER_HEAD_SHARE;
  }
  return 0;
}
