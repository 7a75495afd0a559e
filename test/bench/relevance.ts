import type { Engine, Rank } from "./engine";
import { type CatalogItem, type JudgedFolder, readFolder, relevanceDir, type UnrelatedQueries } from "./judged-folder";
import { type MadeCatalogue, makeCatalogues } from "./made-catalogues";
import { makeQuerySets, type QuerySet } from "./made-queries";
import { marksOf, shareServed } from "./marks";
import { ourEngines } from "./our-engines";
import { OUT_OF_SCOPE_DEV } from "./out-of-scope-dev";
import { OUT_OF_SCOPE_DEV_MORE } from "./out-of-scope-dev-more";
import { OUT_OF_SCOPE_HELD_OUT } from "./out-of-scope-held-out";
import { bestTunings, peerEngines, type Tuning } from "./peer-engines";
import { flexSearchRank, miniSearchOf, miniSearchRank, plainDocs } from "./peers";
import { askThroughApi } from "./relevance-api";
import { type Measured, printCatalogue, printRows, printSummary } from "./relevance-tables";
import { type Predicted, printReliability } from "./reliability";

/** Requests of each set that is cut from titles, and unrelated ones of each list. */
const ASKED_PER_SET = 60;
const JUDGED_MAX = 300;
const UNRELATED_PER_LIST = 500;
/** Peers have no gate and serve almost everything, so a few requests show their share. */
const UNRELATED_TO_PEERS = 40;

/**
 * Relevance and silence over the catalogue of a folder and over unlike ones made of it (made-catalogues.ts), for judged
 * queries and requests cut from titles (made-queries.ts), beside plain BM25F and MiniSearch over the same text. `dir`
 * is the folder (see `readFolder`); without it the bench says so and measures nothing.
 */
export async function run(print: (line: string) => void, dir = relevanceDir()): Promise<void> {
  if (!dir) return print("relevance: skipped, set SVC_RELEVANCE_DATA to the folder of the judged catalogue.");
  print(`reading ${dir} and choosing MiniSearch's tunings by its judged queries`);
  const folder = readFolder(dir);
  const judged = makeQuerySets(folder.items, folder.judgments, { judgedMax: JUDGED_MAX }).find(
    ({ source }) => source === "judged",
  );
  if (!judged) return print(`relevance: ${dir} has no judged query with a relevant product.`);
  const tunings = bestTunings(folder.items, judged.asked);
  const peersOf = peersByItems(tunings);
  const measured: Measured[] = [];
  const predicted: Predicted[] = [];
  for (const catalogue of makeCatalogues(folder)) {
    const engines = [...ourEngines(catalogue), ...peersOf(catalogue.items)];
    const one = measure(folder, catalogue, engines);
    printCatalogue(one, print);
    measured.push(one);
    predicted.push(...predictionsOf(one, { folder, ours: engines[0] }));
  }
  printSummary(measured, print);
  printReliability(predicted, print);
  await compareThroughApi({ items: folder.items, judged, tunings }, print);
}

/** Peers are built once for catalogues of the same items that follow each other. */
function peersByItems(tunings: readonly Tuning[]): (items: readonly CatalogItem[]) => readonly Engine[] {
  let last: { items: readonly CatalogItem[]; peers: readonly Engine[] } | undefined;
  return (items) => {
    if (last?.items !== items) {
      last = undefined;
      last = { items, peers: peerEngines(items, tunings).map(remembering) };
    }
    return last.peers;
  };
}

/** Catalogues of the same items are asked the same requests. */
function remembering({ name, rank }: Engine): Engine {
  const known = new Map<string, string[]>();
  const remembered = (query: string) => {
    const ids = known.get(query) ?? rank(query);
    known.set(query, ids);
    return ids;
  };
  return { name, rank: remembered };
}

function measure(folder: JudgedFolder, catalogue: MadeCatalogue, engines: readonly Engine[]): Measured {
  const startedAt = performance.now();
  const sets = makeQuerySets(catalogue.items, folder.judgments, { count: ASKED_PER_SET, judgedMax: JUDGED_MAX }).map(
    (set) => ({
      set,
      marks: engines.map(({ rank }) => marksOf(set.asked, rank)),
    }),
  );
  const lists = [...unrelatedLists(folder), { name: "families left out", queries: catalogue.absent }];
  const unrelated = lists
    .filter(({ queries }) => queries.length > 0)
    .map(({ name, queries }) => {
      const asked = everyNth(queries, UNRELATED_PER_LIST);
      const fewer = everyNth(queries, UNRELATED_TO_PEERS);
      const shares = engines.map(({ name: engine, rank }) => shareServed(engine === "ours" ? asked : fewer, rank));
      return { name, queries: asked, shares };
    });
  const seconds = (performance.now() - startedAt) / 1000;
  return { catalogue, engines: engines.map(({ name }) => name), sets, unrelated, seconds };
}

const unrelatedLists = ({ unrelated }: JudgedFolder): UnrelatedQueries[] => [
  ...unrelated,
  { name: "ours, development", queries: [...OUT_OF_SCOPE_DEV, ...OUT_OF_SCOPE_DEV_MORE] },
  { name: "ours, held out", queries: OUT_OF_SCOPE_HELD_OUT },
];

const everyNth = (queries: readonly string[], max: number): readonly string[] =>
  queries.filter((_, i) => i % Math.ceil(queries.length / max) === 0);

/**
 * The predictions for all requests that are known to have an answer or none. The folder's own lists of unrelated ones go
 * before ours, of which another shop sells some; families that were left out are omitted, for a near product may do.
 */
function predictionsOf(
  { catalogue, sets, unrelated }: Measured,
  { folder, ours }: { folder: JudgedFolder; ours: Engine | undefined },
): Predicted[] {
  const probabilityOf = ours?.probabilityOf;
  if (!probabilityOf) return [];
  const lists = folder.unrelated.length > 0 ? folder.unrelated : unrelatedLists(folder);
  const outside = unrelated.filter(({ name }) => lists.some((list) => list.name === name));
  const asked = [
    ...sets.map(({ set }) => ({ set: set.name, queries: set.asked.map(({ query }) => query), isAnswerable: true })),
    ...outside.map(({ name, queries }) => ({ set: name, queries, isAnswerable: false })),
  ];
  return asked.flatMap(({ queries, ...rest }) =>
    queries.flatMap((query): Predicted[] => {
      const probability = probabilityOf(query);
      return probability === undefined ? [] : [{ catalogue: catalogue.name, probability, ...rest }];
    }),
  );
}

interface Compared {
  items: readonly CatalogItem[];
  judged: QuerySet;
  tunings: readonly Tuning[];
}

/** The judged queries through a whole svc, and beside every peer, with intervals. */
async function compareThroughApi({ items, judged, tunings }: Compared, print: (line: string) => void): Promise<void> {
  const row = (name: string, rank: Rank) => ({ name, marks: marksOf(judged.asked, rank) });
  const docs = plainDocs(items);
  const peers = peerEngines(items, tunings).map(({ name, rank }) => row(name, rank));
  peers.push(row("MiniSearch, default", miniSearchRank(miniSearchOf(docs, false), {})));
  peers.push(row("FlexSearch", flexSearchRank(docs)));
  const [ours] = ourEngines({ name: "whole", items, shops: 1, absent: [] });
  const api = await askThroughApi(
    items,
    judged.asked.map(({ query }) => query),
  );
  const throughApi = row("ours, through the API", (query) => api.ids.get(query) ?? []);
  print("\nJudged queries through the API of a whole svc");
  printRows([throughApi, row("ours", ours.rank), ...peers], print);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  print(`feed imported in ${seconds(api.importMs)} s, all of it served after ${seconds(api.servedMs)} s`);
}
