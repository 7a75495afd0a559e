import type { Snapshot } from "../matching/snapshot";
import type { Nearness } from "./add-neighbours";
import type { Match } from "./match-need";

/** From this share on (`headShare`) a word names a kind of goods. */
const NAMES_KIND_SHARE = 0.2;
/** A tolerance for rounding, in units of coverage. */
const ALMOST_NONE = 1e-3;

/** What was found for a request. */
export interface FoundKinds {
  snapshot: Pick<Snapshot, "index" | "sums">;
  match: Match;
  nearness: Nearness | undefined;
}

/**
 * A test whether a found document has the noun of what is wanted: headphones, and not a mouse, for "wireless
 * headphones". The last wanted word is the noun if it names what some items are. Undefined if there is no such word, or
 * if vectors found some items, because those may lack every word.
 */
export function wantedKind({ snapshot, match, nearness }: FoundKinds): ((doc: number) => boolean) | undefined {
  const { wanted, coverable } = match;
  const noun = wanted.findLast(({ measure }) => !measure);
  if (!noun?.isKnown || wanted.length < 2 || noun.headShare < NAMES_KIND_SHARE || nearness) return undefined;
  const { sums } = snapshot;
  const { titles } = snapshot.index;
  const ids = noun.sources.map(({ list }) => list.id);
  if (noun.joined) ids.push(noun.joined.id);
  // An item that covers more than all other words has the noun, in its category for example.
  const others = coverable - noun.idf + ALMOST_NONE;
  return (doc) => (sums.covered[doc] as number) > others || ids.some((id) => titles.has(doc, id));
}
