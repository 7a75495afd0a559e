/** One offer of a simulated click log. */
export interface LoggedOffer {
  channelId: string;
  itemId: string;
  term: string;
  position: number;
  isClicked: boolean;
}

/** A click log whose truth is known. */
export interface ClickLog {
  offers: LoggedOffer[];
  channels: readonly string[];
  items: readonly string[];
  terms: readonly string[];
  /** Clicks per impression of an item at the first position, over all words and channels. */
  rateOf(itemId: string): number;
  /** How much more often than that it is clicked for a word, on average 1. */
  affinityOf(itemId: string, term: string): number;
}

export const CHANNELS = ["chn_a", "chn_b"];
/** True position bias by channel; both differ from what is assumed without data. */
const STEEPNESS: Readonly<Record<string, number>> = { chn_a: 1, chn_b: 0.8 };
/** How much is clicked on each channel at all. */
const LIVELINESS: Readonly<Record<string, number>> = { chn_a: 1.2, chn_b: 0.8 };
/** Offers per response. */
export const SHOWN = 5;

/** The share of visitors who look at a position, relative to the first one. */
export const looksAt = (channelId: string, position: number): number => (position + 1) ** -(STEEPNESS[channelId] ?? 0);

/**
 * Simulates visitors who look at each place with a fixed probability. Items are shown in an order that has nothing to do
 * with what visitors click: each item has a usual place for each word, changed by chance in each request.
 */
export function simulateClicks({ seed, requests }: { seed: number; requests: number }): ClickLog {
  const random = randomOf(seed);
  const items = Array.from({ length: 12 }, (_, i) => `crv_${i}`);
  const terms = Array.from({ length: 8 }, (_, i) => `word${i}`);
  const rates = new Map(items.map((id) => [id, 0.06 * Math.exp(0.3 * random.normal())]));
  const affinities = new Map(items.map((id) => [id, drawAffinities(terms, random)]));
  const usualPlace = new Map(items.map((id) => [id, terms.map(() => 1.5 * random.normal())]));
  const log = {
    channels: CHANNELS,
    items,
    terms,
    rateOf: (id: string) => rates.get(id) ?? Number.NaN,
    affinityOf: (id: string, term: string) => affinities.get(id)?.get(term) ?? Number.NaN,
  };
  const offers: LoggedOffer[] = [];
  for (let i = 0; i < requests; i++) {
    const channelId = random.pick(CHANNELS);
    const term = random.pick(terms);
    const scores = items.map((id) => ({
      id,
      score: (usualPlace.get(id)?.[terms.indexOf(term)] ?? 0) + random.normal(),
    }));
    scores.sort((a, b) => b.score - a.score);
    for (const [position, { id }] of scores.slice(0, SHOWN).entries()) {
      const chance =
        looksAt(channelId, position) * (LIVELINESS[channelId] ?? 0) * log.rateOf(id) * log.affinityOf(id, term);
      offers.push({ channelId, itemId: id, term, position, isClicked: random.next() < chance });
    }
  }
  return { ...log, offers };
}

function drawAffinities(terms: readonly string[], random: Random): Map<string, number> {
  const drawn = terms.map(() => Math.min(1.8, Math.max(0.55, Math.exp(0.5 * random.normal()))));
  const mean = drawn.reduce((sum, affinity) => sum + affinity, 0) / drawn.length;
  return new Map(terms.map((term, i) => [term, (drawn[i] as number) / mean]));
}

interface Random {
  next(): number;
  normal(): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32 and, for normal numbers, the method of Box and Muller. */
function randomOf(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (from) => from[Math.floor(next() * from.length)] as never,
  };
}
