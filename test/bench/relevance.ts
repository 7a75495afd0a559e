import { bootstrap, type Interval } from "./bootstrap";
import type { Rank } from "./engine";
import { type CatalogItem, type Judgments, readFolder, relevanceDir } from "./judged-folder";
import { type Asked, type Marks, marksOf, meanOf, shareServed } from "./marks";
import { rankOf, stateOf } from "./our-engines";
import { bestTunings, peerEngines } from "./peer-engines";
import { flexSearchRank, miniSearchOf, miniSearchRank, plainDocs } from "./peers";
import { askThroughApi } from "./relevance-api";

/** Peers have no gate and serve almost everything, so a few requests show their share. */
const UNRELATED_TO_PEERS = 40;

interface Row {
  name: string;
  rank: Rank;
  isPeer: boolean;
}

/**
 * Relevance and silence over the judged catalogue of a folder, beside plain BM25F, MiniSearch and FlexSearch over the same
 * text: NDCG@8 and P@1 of the judged queries with a relevant product, with 95 % intervals, and the share that gets an
 * offer, of these and of the folder's requests that no product answers. `dir` is the folder (see `readFolder`); without
 * it the bench says so and measures nothing.
 */
export async function run(print: (line: string) => void, dir = relevanceDir()): Promise<void> {
  if (!dir) return print("relevance: skipped, set SVC_RELEVANCE_DATA to the folder of the judged catalogue.");
  const { items, judgments, unrelated } = readFolder(dir);
  const asked = answerable(judgments);
  if (asked.length === 0) return print(`relevance: ${dir} has no judged query with a relevant product.`);
  const queries = asked.map(({ query }) => query);
  print(`${items.length} products, ${asked.length} judged queries with a relevant one\n`);
  const { ids, importMs, servedMs } = await askThroughApi(items, queries);
  const lists = unrelated.filter((list) => list.queries.length > 0);
  print(
    `${"".padEnd(26)} ${"NDCG@8".padEnd(24)} ${"P@1".padEnd(24)} served  ${lists.map(({ name }) => name).join("  ")}`,
  );
  const throughApi = { name: "ours, through the API", rank: (query: string) => ids.get(query) ?? [], isPeer: false };
  printRow(throughApi, { marks: marksOf(asked, throughApi.rank), shares: [] }, print);
  for (const row of rowsOf(items, asked)) {
    const shares = lists.map((list) => shareServed(row.isPeer ? sampled(list.queries) : list.queries, row.rank));
    printRow(row, { marks: marksOf(asked, row.rank), shares }, print);
  }
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  print(`\nfeed imported in ${seconds(importMs)} s, all of it served after ${seconds(servedMs)} s`);
}

function rowsOf(items: readonly CatalogItem[], asked: readonly Asked[]): Row[] {
  const [state, docs] = [stateOf(items), plainDocs(items)];
  const peers = peerEngines(items, bestTunings(items, asked));
  peers.push({ name: "MiniSearch, default", rank: miniSearchRank(miniSearchOf(docs, false), {}) });
  peers.push({ name: "FlexSearch", rank: flexSearchRank(docs) });
  return [
    { name: "ours", rank: rankOf(state), isPeer: false },
    { name: "ours, no gate", rank: rankOf(state, 0), isPeer: false },
    ...peers.map(({ name, rank }) => ({ name, rank, isPeer: true })),
  ];
}

const answerable = (judgments: Judgments): Asked[] =>
  [...judgments]
    .map(([query, ratings]) => ({ query, ratings }))
    .filter(({ ratings }) => Math.max(0, ...ratings.values()) > 0);

const sampled = (queries: readonly string[]): readonly string[] =>
  queries.filter((_, i) => i % Math.ceil(queries.length / UNRELATED_TO_PEERS) === 0);

function printRow(
  { name }: Row,
  { marks, shares }: { marks: Marks; shares: readonly number[] },
  print: (line: string) => void,
): void {
  const figures = [marks.ndcg, marks.first].map((values) => ranged(bootstrap(values)).padEnd(24));
  const served = [meanOf(marks.served), ...shares].map((share) => `${(100 * share).toFixed(1)} %`.padStart(6));
  print(`${name.padEnd(26)} ${figures.join(" ")} ${served.join("  ")}`);
}

const ranged = ({ mean, low, high }: Interval): string => `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
