import type { CatalogItem, JudgedFolder, Judgments } from "./judged-folder";
import { seededRandom, shuffled } from "./seeded-random";
import { headOf, TitleIndex, wordsOf } from "./title-index";

/** A shop, or several, made of a folder's products. */
export interface MadeCatalogue {
  name: string;
  items: readonly CatalogItem[];
  /** By how many advertisers, each with one campaign, the items are sold; brands are dealt out among them. */
  shops: number;
  /** Requests for product families of which every item was left out. */
  absent: readonly string[];
}

const MANY_SHOPS = 30;
const SIZES = [400, 2000, 8000];
/** In small catalogues judged items come first, so that queries keep a relevant product. */
const JUDGED_SHARE = 0.5;
const FAMILY_ITEMS_MIN = 5;
const FAMILIES_LEFT_OUT = 0.12;
const JUDGED_LEFT_OUT = 0.25;
/** A noun that heads this share of a query's relevant titles names its family. */
const FAMILY_SHARE = 0.25;
const ABSENT_QUERIES_PER_FAMILY = 2;

/**
 * The folder's catalogue itself and unlike ones made of it: fewer fields, fewer items, families left out, many shops.
 * The same for the same folder and seed. Sizes that the catalogue does not reach, and fields it lacks, are left out.
 */
export function makeCatalogues({ items, judgments }: JudgedFolder, seed = 1): MadeCatalogue[] {
  const random = seededRandom(seed);
  const one = (name: string, some: readonly CatalogItem[], shops = 1): MadeCatalogue => ({
    ...{ name, items: some, shops, absent: [] },
  });
  const titles = titlesOnly(items);
  const samples = SIZES.filter((size) => size < items.length).map((size) => ({
    name: size.toLocaleString("en-US"),
    items: sample(items, { judgments, size, random }),
  }));
  const made = [one("whole", items), one(`${MANY_SHOPS} shops`, items, MANY_SHOPS)];
  if (items.some(isMoreThanTitle)) made.push(one("titles only", titles));
  if (items.some(({ details }) => details.length > 0)) made.push(one("no attributes", items.map(withoutDetails)));
  made.push(...samples.map(({ name, items: some }) => one(`${name} items`, some)));
  made.push(withoutFamilies({ items, judgments }, random));
  for (const { name, items: some } of samples.slice(0, 2)) {
    const isMore = some.some(isMoreThanTitle);
    const label = isMore ? `${name} titles, ${MANY_SHOPS} shops` : `${name} items, ${MANY_SHOPS} shops`;
    made.push(one(label, titlesOnly(some), MANY_SHOPS));
  }
  return made;
}

/** The number, from 0, of the shop that sells an item: all items of a brand are sold by one. */
export function shopOf({ brand, title }: CatalogItem, shops: number): number {
  const name = (brand || wordsOf(title)[0] || "").toLowerCase();
  let hash = 0x81_1c_9d_c5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return (hash >>> 0) % shops;
}

const isMoreThanTitle = ({ description, brand, category, details }: CatalogItem): boolean =>
  description !== "" || brand !== "" || category !== "" || details.length > 0;

const titlesOnly = (items: readonly CatalogItem[]): CatalogItem[] =>
  items.map(({ id, title, link }) => ({ id, title, link, description: "", brand: "", category: "", details: [] }));

const withoutDetails = (item: CatalogItem): CatalogItem => ({ ...item, details: [] });

interface Sampling {
  judgments: Judgments;
  size: number;
  random: () => number;
}

function sample(items: readonly CatalogItem[], { judgments, size, random }: Sampling): CatalogItem[] {
  const judged = new Set([...judgments.values()].flatMap((ratings) => [...ratings.keys()]));
  const mixed = shuffled(items, random);
  const known = mixed.filter(({ id }) => judged.has(id)).slice(0, Math.floor(size * JUDGED_SHARE));
  const chosen = new Set(known);
  for (const item of mixed) if (chosen.size < size) chosen.add(item);
  return items.filter((item) => chosen.has(item));
}

/**
 * Leaves out a quarter of the judged queries with all items of the nouns that head their relevant titles, and every
 * eighth of all other head nouns. Absent are these queries, and word pairs of left-out titles that no other title has.
 */
function withoutFamilies(
  { items, judgments }: Pick<JudgedFolder, "items" | "judgments">,
  random: () => number,
): MadeCatalogue {
  const heads = new Map(items.map((item) => [item.id, headOf(item.title)]));
  const byHead = itemsByHead(items, heads);
  const queries = [...judgments.keys()].filter((query) => Math.max(...(judgments.get(query)?.values() ?? [])) > 0);
  const dropped = shuffled(queries, random).slice(0, Math.floor(queries.length * JUDGED_LEFT_OUT));
  const large = [...byHead].filter(([, some]) => some.length >= FAMILY_ITEMS_MIN).map(([head]) => head);
  const families = shuffled(large, random).slice(0, Math.floor(large.length * FAMILIES_LEFT_OUT));
  const gone = new Set(families);
  const goneItems = new Set<string>();
  for (const query of dropped) {
    const relevant = relevantTo(judgments, query).filter((id) => heads.has(id));
    for (const id of relevant) goneItems.add(id);
    for (const head of commonHeads(relevant.map((id) => heads.get(id) ?? ""))) gone.add(head);
    for (const word of wordsOf(query).slice(-1)) gone.add(word).add(word.replace(/s$/, "")).add(`${word}s`);
  }
  const left = items.filter(({ id }) => !goneItems.has(id) && !gone.has(heads.get(id) ?? ""));
  const leftIds = new Set(left.map(({ id }) => id));
  const isAbsent = (query: string) => !relevantTo(judgments, query).some((id) => leftIds.has(id));
  const rest = new TitleIndex(left);
  const pairs = families.flatMap((head) => absentPairs(shuffled(byHead.get(head) ?? [], random), { head, rest }));
  const absent = [...new Set([...queries.filter(isAbsent), ...pairs])];
  return { name: "families left out", items: left, shops: 1, absent };
}

const relevantTo = (judgments: Judgments, query: string): string[] =>
  [...(judgments.get(query) ?? [])].filter(([, rating]) => rating > 0).map(([id]) => id);

function itemsByHead(
  items: readonly CatalogItem[],
  heads: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, CatalogItem[]> {
  const byHead = new Map<string, CatalogItem[]>();
  for (const item of items) {
    const head = heads.get(item.id);
    const some = byHead.get(head ?? "");
    if (some) some.push(item);
    else if (head !== undefined) byHead.set(head, [item]);
  }
  return byHead;
}

const commonHeads = (heads: readonly string[]): string[] =>
  [...new Set(heads)].filter((head) => {
    const share = heads.filter((other) => other === head).length / heads.length;
    return head !== "" && share >= FAMILY_SHARE;
  });

/** The head noun with the plain word before it, where no title that is left has both. */
function absentPairs(some: readonly CatalogItem[], { head, rest }: { head: string; rest: TitleIndex }): string[] {
  const pairs = some.map(({ title }) => {
    const words = wordsOf(title);
    const before = words[words.indexOf(head) - 1];
    return before && /^\p{L}{3,}$/u.test(before) ? [before, head] : [];
  });
  const absent = pairs.filter((pair) => pair.length > 0 && rest.containing(pair).length === 0);
  return [...new Set(absent.map((pair) => pair.join(" ")))].slice(0, ABSENT_QUERIES_PER_FAMILY);
}
