import type { Rank } from "./engine";
import { type CatalogItem, type JudgedFolder, readFolder, relevanceDir } from "./judged-folder";
import { rankOf, stateOf } from "./our-engines";
import { flexSearchRank, MINI_SEARCH_TUNINGS, miniSearchOf, miniSearchRank, plainDocs } from "./peers";

const SIZES = [20_000, 55_000];
const OUR_ROUNDS = 20;
const PEER_ROUNDS = 3;
const PEER_QUERIES = 120;

/**
 * Matches a second of CPU time, and the milliseconds of a match: by query (the median of its rounds, which other work on
 * the machine hardly moves) and over every single match. Whole decisions of ours beside searches of MiniSearch and
 * FlexSearch, over the judged catalogue repeated to 20,000 and 55,000 products. The queries are the judged ones, each
 * also in a sentence, and the folder's out-of-scope ones; the peers get every nth of them, because they are slow.
 */
export async function run(print: (line: string) => void, dataDir = relevanceDir()): Promise<void> {
  if (!dataDir) return print("matching: skipped, set SVC_RELEVANCE_DATA to the folder of the judged catalogue.");
  const folder = readFolder(dataDir);
  const { items } = folder;
  const queries = queriesOf(folder);
  const fewer = queries.filter((_, i) => i % Math.ceil(queries.length / PEER_QUERIES) === 0);
  print(`${queries.length} different queries; wanted: p99 <= 3 ms at 20,000, <= 8 ms at 55,000, >= 5,000 matches/s\n`);
  print(`${"".padEnd(34)} matches      p50       p99   p99 of   longest  built in`);
  print(`${"".padEnd(34)}  a CPU-s   of queries, ms  all, ms        ms`);
  for (const size of SIZES) {
    const products = repeated(items, size);
    const docs = plainDocs(products);
    // One index at a time: together they would not fit a small machine.
    measure(`${size} ours`, { build: () => rankOf(stateOf(products)), queries, rounds: OUR_ROUNDS }, print);
    const stemmed = MINI_SEARCH_TUNINGS.find(({ name }) => name === "boost 8")?.options ?? {};
    const mini = (options: typeof stemmed, isStemmed: boolean) => () =>
      miniSearchRank(miniSearchOf(docs, isStemmed), options);
    measure(`${size} MiniSearch, default`, { build: mini({}, false), queries: fewer, rounds: PEER_ROUNDS }, print);
    measure(
      `${size} MiniSearch, stems, boost 8`,
      { build: mini(stemmed, true), queries: fewer, rounds: PEER_ROUNDS },
      print,
    );
    measure(`${size} FlexSearch`, { build: () => flexSearchRank(docs), queries: fewer, rounds: PEER_ROUNDS }, print);
  }
}

interface Measured {
  build: () => Rank;
  queries: readonly string[];
  rounds: number;
}

function measure(name: string, { build, queries, rounds }: Measured, print: (line: string) => void): void {
  const builtFrom = performance.now();
  const rank = build();
  const builtMs = performance.now() - builtFrom;
  for (let round = 0; round < rounds; round++) for (const query of queries) rank(query);
  const times = queries.map(() => new Float64Array(rounds));
  const usedFrom = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    for (const [i, query] of queries.entries()) {
      const started = performance.now();
      rank(query);
      (times[i] as Float64Array)[round] = performance.now() - started;
    }
  }
  const used = process.cpuUsage(usedFrom);
  const perSecond = (1e6 * queries.length * rounds) / (used.user + used.system);
  const typical = times.map((list) => list.sort()[Math.floor(rounds / 2)] ?? 0);
  const all = times.flatMap((list) => [...list]);
  const speed = `${Math.round(perSecond)}/s`.padStart(8);
  const columns = [percentile(typical, 0.5), percentile(typical, 0.99), percentile(all, 0.99), percentile(all, 1)];
  print(`${name.padEnd(34)} ${speed} ${columns.join(" ")}  ${(builtMs / 1000).toFixed(1)} s`);
}

const percentile = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2).padStart(9);

function queriesOf({ judgments, unrelated }: JudgedFolder): string[] {
  const judged = [...judgments.keys()];
  const sentences = judged.map((query) => `can you tell me which ${query} would be a good choice for my office?`);
  return [...judged, ...sentences, ...unrelated.flatMap(({ queries }) => queries)];
}

/** The products again and again with ids, pages and model numbers of their own, up to `size`. */
const repeated = (items: readonly CatalogItem[], size: number): CatalogItem[] =>
  Array.from({ length: size }, (_, i) => {
    const item = items[i % items.length] as CatalogItem;
    const copy = Math.floor(i / items.length);
    if (copy === 0) return item;
    const words = item.title.split(" ");
    const title = [...words.slice(0, 2), `V${copy}${i % 977}`, ...words.slice(2)].join(" ");
    return { ...item, id: `${item.id}-${copy}`, link: `${item.link}-${copy}`, title };
  });
