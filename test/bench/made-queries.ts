import {
  CHAT_FRAMES_DEV,
  CHAT_FRAMES_HELD_OUT,
  CHAT_FRAMES_HELD_OUT_MORE,
  EXTRA_WORDS_DEV,
  EXTRA_WORDS_HELD_OUT,
} from "./chat-frames";
import type { CatalogItem, Judgments } from "./judged-folder";
import { joined, misspelt, split } from "./query-damage";
import { pick, seededRandom, shuffled } from "./seeded-random";
import { headOf, TitleIndex, wordsOf } from "./title-index";
import { measuresIn, otherWritings } from "./written-measures";

/** A request, and the rating of each product of the catalogue that answers it. */
export interface Asked {
  query: string;
  ratings: ReadonlyMap<string, number>;
}

/** Requests of one manner; every one of them has a relevant product. */
export interface QuerySet {
  name: string;
  /** Rated by people, or cut from titles: then relevant is every title with all the words. */
  source: "judged" | "title";
  /** Only measured with, never fitted or tuned with. */
  isHeldOut: boolean;
  asked: readonly Asked[];
}

/** Requests of each set that is cut from titles. */
const ASKED = 100;
/** Shorter requests fit more items, so they do not tell rankers apart. */
const RELEVANT_MAX = 20;
const HEAD_SHARE = 0.5;
const TRIES_PER_QUERY = 40;
const FRAMED_TWICE_BELOW = 200;
/** A word in a larger share of titles does not tell items apart. */
const COMMON_SHARE = 0.05;

export interface QueryOptions {
  seed?: number | undefined;
  /** The most judged queries, taken evenly; all by default. */
  judgedMax?: number | undefined;
  /** Requests of each set that is cut from titles. */
  count?: number | undefined;
}

/**
 * The judged queries that have a relevant product among the items, plain and in chat frames, and requests cut from
 * titles: plain, damaged, rewritten and framed. Sets without a request are left out; the same for the same seed.
 */
export function makeQuerySets(
  items: readonly CatalogItem[],
  judgments: Judgments,
  { seed = 1, count = ASKED, judgedMax = Number.POSITIVE_INFINITY }: QueryOptions = {},
): QuerySet[] {
  const random = seededRandom(seed);
  const titles = new TitleIndex(items);
  const all = judgedAmong(items, judgments);
  const judged = all.filter((_, i) => i % Math.max(1, Math.ceil(all.length / judgedMax)) === 0);
  // Few queries are framed twice.
  const toFrame = judged.length < FRAMED_TWICE_BELOW ? [...judged, ...judged] : judged;
  const known = knownItems(items, { titles, random, count });
  const changed = (change: (query: string) => string | undefined) =>
    known.flatMap(({ query, ratings }) => {
      const other = change(query);
      return other === undefined || other === query ? [] : [{ query: other, ratings }];
    });
  const framed = (asked: readonly Asked[], frames: readonly string[]) =>
    asked.map(({ query, ratings }) => ({ query: pick(frames, random).replace("%", () => query), ratings }));
  const sets: [name: string, source: QuerySet["source"], asked: readonly Asked[]][] = [
    ["judged", "judged", judged],
    ["judged, framed", "judged", framed(toFrame, CHAT_FRAMES_DEV)],
    [`judged, framed, ${HELD_OUT}`, "judged", framed(toFrame, CHAT_FRAMES_HELD_OUT)],
    [`judged, framed more, ${HELD_OUT}`, "judged", framed(toFrame, CHAT_FRAMES_HELD_OUT_MORE)],
    [`judged, extra words, ${HELD_OUT}`, "judged", framed(toFrame, behind(EXTRA_WORDS_HELD_OUT))],
    ["known item", "title", known],
    ["known, misspelt", "title", changed((query) => misspelt(query, { titles, random }))],
    ["known, run together", "title", changed((query) => joined(query, { titles, random }))],
    ["known, word split", "title", changed((query) => split(query, { titles, random }))],
    ["known, extra words", "title", framed(known, behind(EXTRA_WORDS_DEV))],
    [`known, extra words, ${HELD_OUT}`, "title", framed(known, behind(EXTRA_WORDS_HELD_OUT))],
    ["known, framed", "title", framed(known, CHAT_FRAMES_DEV)],
    [`known, framed, ${HELD_OUT}`, "title", framed(known, CHAT_FRAMES_HELD_OUT)],
    ["measure rewritten", "title", rewrittenMeasures(items, { titles, random, count })],
    ["model number", "title", modelNumbers(items, { titles, random, count })],
  ];
  return sets
    .filter(([, , asked]) => asked.length > 0)
    .map(([name, source, asked]) => ({ name, source, asked, isHeldOut: name.endsWith(HELD_OUT) }));
}

const HELD_OUT = "held out";
const behind = (extra: readonly string[]): string[] => extra.map((words) => `% ${words}`);

function judgedAmong(items: readonly CatalogItem[], judgments: Judgments): Asked[] {
  const ids = new Set(items.map(({ id }) => id));
  const all = [...judgments].map(([query, ratings]) => ({
    query,
    ratings: new Map([...ratings].filter(([id]) => ids.has(id))),
  }));
  return all.filter(({ ratings }) => Math.max(0, ...ratings.values()) > 0);
}

interface Cutting {
  titles: TitleIndex;
  random: () => number;
  count: number;
}

/** Requests that `cut` makes from titles in random order; each once, and only those with few enough answers. */
function cutFrom(
  items: readonly CatalogItem[],
  { random, count }: Cutting,
  cut: (item: CatalogItem) => { query: string; relevant: readonly CatalogItem[] } | undefined,
): Asked[] {
  const found = new Map<string, Asked>();
  for (const item of shuffled(items, random).slice(0, count * TRIES_PER_QUERY)) {
    if (found.size >= count) break;
    const made = cut(item);
    if (!made || made.relevant.length === 0 || made.relevant.length > RELEVANT_MAX) continue;
    found.set(made.query, { query: made.query, ratings: new Map(made.relevant.map(({ id }) => [id, 1])) });
  }
  return [...found.values()];
}

/** Two to four words of a title in its order, rare ones preferred, half of the time with the noun it is called by. */
const knownItems = (items: readonly CatalogItem[], cutting: Cutting): Asked[] =>
  cutFrom(items, cutting, ({ title }) => {
    const { titles, random } = cutting;
    const words = [...new Set(wordsOf(title))].filter((word) => /^(?=.*\p{L})[\p{L}\p{N}]{3,}$/u.test(word));
    const head = headOf(title);
    const rare = words.filter(
      (word) => word !== head && titles.count(word) <= Math.max(3, COMMON_SHARE * items.length),
    );
    const withHead = head !== undefined && random() < HEAD_SHARE;
    const size = 2 + Math.floor(random() * 3) - (withHead ? 1 : 0);
    const chosen = new Set([...shuffled(rare, random).slice(0, size), ...(withHead ? [head] : [])]);
    if (chosen.size < 2) return undefined;
    const query = words.filter((word) => chosen.has(word));
    return { query: query.join(" "), relevant: titles.containing(query) };
  });

/** A word, the head noun and a measure of a title, the measure written otherwise than there. */
const rewrittenMeasures = (items: readonly CatalogItem[], cutting: Cutting): Asked[] =>
  cutFrom(items, cutting, ({ title }) => {
    const { titles, random } = cutting;
    const head = headOf(title);
    const measures = measuresIn(title).filter((measure) => otherWritings(measure).length > 0);
    const words = wordsOf(title).filter((word) => /^\p{L}{4,}$/u.test(word) && word !== head);
    if (head === undefined || measures.length === 0 || words.length === 0) return undefined;
    const [measure, word] = [pick(measures, random), pick(words, random)];
    const isMeant = (other: string) => measuresIn(other).some(({ meaning }) => meaning === measure.meaning);
    const relevant = titles.containing([word, head]).filter((item) => isMeant(item.title));
    return { query: `${pick(otherWritings(measure), random)} ${word} ${head}`, relevant };
  });

const MODEL = /^(?=.*\p{L})(?=.*\p{N})[\p{L}\p{N}][\p{L}\p{N}/-]{4,}$/u;
const QUANTITY = /^\d+(?:[.,/x-]\d+)*-?\p{L}{0,4}$/iu;

/** A model number alone, as its title writes it. */
const modelNumbers = (items: readonly CatalogItem[], cutting: Cutting): Asked[] =>
  cutFrom(items, cutting, ({ title }) => {
    const models = title
      .split(/[\s,;()]+/)
      .filter((word) => MODEL.test(word) && !QUANTITY.test(word) && measuresIn(word).length === 0);
    if (models.length === 0) return undefined;
    const query = pick(models, cutting.random).toLowerCase();
    return { query, relevant: cutting.titles.containing(wordsOf(query)) };
  });
