import { ablations, reweighed } from "./ablation";
import { bootstrap, type Interval } from "./bootstrap";
import {
  type CatalogLine,
  DEPTH,
  type Judgments,
  type Rank,
  rankOf,
  readCatalog,
  readJudgments,
  splitJudged,
  stateOf,
} from "./judged-catalogue";
import { flexSearchRank, MINI_SEARCH_TUNINGS, miniSearchOf, miniSearchRank, plainDocs } from "./peers";
import { PlainBm25f } from "./plain-bm25f";
import { askThroughApi } from "./relevance-api";

const FOLDS = 5;

/** One value a query. */
interface Marks {
  ndcg: number[];
  first: number[];
}

interface Row {
  name: string;
  marks: Marks;
}

/**
 * Relevance on judged queries beside plain BM25F, MiniSearch and FlexSearch over the same text, then what each part of
 * ours is worth. `dataDir` holds `catalog.ndjson.gz` and `judgments-dev.csv`; without it (or SVC_RELEVANCE_DATA) the
 * bench says so and measures nothing. NDCG@8 with gains 2^rating - 1; products that nobody judged count as irrelevant;
 * intervals are 95 % bootstrap intervals over the queries.
 */
export async function run(print: (line: string) => void, dataDir = process.env.SVC_RELEVANCE_DATA): Promise<void> {
  if (!dataDir) return print("relevance: skipped, set SVC_RELEVANCE_DATA to the folder of the judged catalogue.");
  const lines = readCatalog(dataDir);
  const judgments = readJudgments(dataDir);
  const { inScope } = splitJudged(judgments);
  const marks = (rank: Rank) => marksOf(judgments, inScope, rank);
  const ours: Row = { name: "ours", marks: marks(rankOf(stateOf(lines))) };
  const api = await askThroughApi(dataDir, inScope);
  const throughApi: Row = { name: "ours, through the API", marks: marks((query) => api.ids.get(query) ?? []) };
  const peers = peerRows(lines, marks);
  print(`${lines.length} products, ${inScope.length} judged queries with a relevant product\n`);
  printRows([throughApi, ours, ...peers], print);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  print(`\nfeed imported in ${seconds(api.importMs)} s, all of it served after ${seconds(api.servedMs)} s`);
  const best = peers.reduce((top, row) => (sum(row.marks.ndcg) > sum(top.marks.ndcg) ? row : top));
  const paired = (of: keyof Marks) => bootstrap(differences(ours.marks[of], best.marks[of]));
  print(`\nours - ${best.name}, paired by query: NDCG@8 ${signed(paired("ndcg"))}, P@1 ${signed(paired("first"))}`);
  print("\nranking alone (no gate, no auction), a part switched off at a time; difference to all parts, paired\n");
  const [whole, ...others] = ablations(lines).map(({ name, rank }) => ({ name, marks: marks(rank) }));
  if (!whole) return;
  print(`${whole.name.padEnd(34)} NDCG@8 ${mean(whole.marks.ndcg)}  P@1 ${mean(whole.marks.first)}`);
  for (const { name, marks: part } of others) {
    const loss = bootstrap(differences(part.ndcg, whole.marks.ndcg));
    print(`${name.padEnd(34)} NDCG@8 ${mean(part.ndcg)}  P@1 ${mean(part.first)}  ${signed(loss)}`);
  }
  const rivals = [...reweighed(lines)].map(({ name, rank }) => ({ name, marks: marks(rank) }));
  printFolds([whole, ...others, ...rivals], print);
  print("\nThe numbers of ours were tuned on all of these queries, and the peers' weights were chosen on them, too");
  print("(MiniSearch tuned: the best of the tunings in peers.ts): differences to the peers are upper estimates.");
}

/**
 * What tuning by hand is worth on queries that it did not see: in each fold the best of all choices on the other four
 * fifths is marked on the fifth that was left out.
 */
function printFolds(choices: readonly [Row, ...Row[]], print: (line: string) => void): void {
  const queries = choices[0].marks.ndcg.map((_, i) => i);
  const chosen: string[] = [];
  const leftOut = queries.map(() => 0);
  for (let fold = 0; fold < FOLDS; fold++) {
    const seen = (row: Row) => sum(queries.map((i) => (i % FOLDS === fold ? 0 : (row.marks.ndcg[i] ?? 0))));
    const best = choices.reduce((top, row) => (seen(row) > seen(top) ? row : top), choices[0]);
    chosen.push(best.name);
    for (const i of queries) if (i % FOLDS === fold) leftOut[i] = best.marks.ndcg[i] ?? 0;
  }
  print(`\n${FOLDS}-fold cross-validation over ${choices.length} choices (the parts above, and other field weights):`);
  print(`chosen on four fifths, marked on the fifth: NDCG@8 ${ranged(bootstrap(leftOut))}`);
  print(
    `${choices[0].name} as they are: NDCG@8 ${ranged(bootstrap(choices[0].marks.ndcg))}; chosen: ${chosen.join("; ")}`,
  );
  const [first] = choices.toSorted((a, b) => sum(b.marks.ndcg) - sum(a.marks.ndcg));
  if (first) print(`best of all on every query: ${first.name}, NDCG@8 ${mean(first.marks.ndcg)}`);
  print('Compounds and phrases stay although judged queries can do without: they alone let "head set" find headsets.');
}

function peerRows(lines: readonly CatalogLine[], marks: (rank: Rank) => Marks): Row[] {
  const docs = plainDocs(lines);
  const plain = new PlainBm25f(docs);
  const stemmed = miniSearchOf(docs, true);
  const tuned = MINI_SEARCH_TUNINGS.map(({ name, options }) => ({
    name: `MiniSearch, stems, ${name}`,
    marks: marks(miniSearchRank(stemmed, options)),
  }));
  return [
    { name: "plain BM25F", marks: marks((query) => plain.search(query, DEPTH)) },
    { name: "MiniSearch, default", marks: marks(miniSearchRank(miniSearchOf(docs, false), {})) },
    tuned.reduce((best, row) => (sum(row.marks.ndcg) > sum(best.marks.ndcg) ? row : best)),
    { name: "FlexSearch", marks: marks(flexSearchRank(docs)) },
  ];
}

function printRows(rows: readonly Row[], print: (line: string) => void): void {
  print(`${"".padEnd(34)} ${"NDCG@8".padEnd(22)} P@1`);
  for (const { name, marks } of rows) {
    print(`${name.padEnd(34)} ${ranged(bootstrap(marks.ndcg)).padEnd(22)} ${ranged(bootstrap(marks.first))}`);
  }
}

function marksOf(judgments: Judgments, queries: readonly string[], rank: Rank): Marks {
  const marks: Marks = { ndcg: [], first: [] };
  for (const query of queries) {
    const ratings = judgments.get(query) ?? new Map<string, number>();
    const gains = rank(query).map((id) => ratings.get(id) ?? 0);
    const ideal = [...ratings.values()].sort((a, b) => b - a).slice(0, DEPTH);
    marks.ndcg.push(dcgOf(gains) / dcgOf(ideal));
    marks.first.push((gains[0] ?? 0) > 0 ? 1 : 0);
  }
  return marks;
}

const dcgOf = (ratings: readonly number[]): number =>
  ratings.reduce((total, rating, i) => total + (2 ** rating - 1) / Math.log2(i + 2), 0);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): string => (sum(values) / values.length).toFixed(3);
const differences = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, i) => value - (theirs[i] ?? 0));
const ranged = ({ mean: middle, low, high }: Interval): string =>
  `${middle.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
const signed = (interval: Interval): string => ranged(interval).replace(/(^|\[|, )(?=\d)/g, "$1+");
