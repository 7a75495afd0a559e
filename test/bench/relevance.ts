import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { decideOffers } from "../../server/ads/ranking/decide-offers";
import { ServingState } from "../../server/ads/ranking/serving-state";
import { PlainBm25f } from "./plain-bm25f";
import { CHAT_FRAMES, OUT_OF_SCOPE } from "./relevance-queries";
import { benchCampaign, benchChannel, benchRequest } from "./relevance-scene";

const DEPTH = 8;
const ROUNDS = 5;
const NOW = new Date("2026-11-20T12:00:00Z");

interface CatalogLine {
  id: string;
  title: string;
  description: string;
  link: string;
  brand: string;
  product_detail: { attribute_name: string; attribute_value: string | number | boolean }[];
}

type Judgments = Map<string, Map<string, number>>;
type Rank = (query: string) => string[];

/**
 * Relevance of the ranking on judged queries beside a plain BM25F, and how many out-of-scope queries get an offer.
 * `dataDir` holds `catalog.ndjson.gz` and `judgments-dev.csv`; without it (or SVC_RELEVANCE_DATA) the bench says so and
 * measures nothing. NDCG@8 with gains 2^rating - 1; products that nobody judged count as irrelevant.
 */
export async function run(print: (line: string) => void, dataDir = process.env.SVC_RELEVANCE_DATA): Promise<void> {
  if (!dataDir) return print("relevance: skipped, set SVC_RELEVANCE_DATA to the folder of the judged catalogue.");
  const lines = readCatalog(dataDir);
  const judgments = readJudgments(dataDir);
  const { rank, state } = buildOurs(lines, print);
  const plain = new PlainBm25f(
    lines.map(({ id, title, brand, description, product_detail: details }) => {
      const attributes = details.map(({ attribute_value: value }) => String(value)).join(" ");
      return { id, title, brand, description, attributes };
    }),
  );
  printRelevance(judgments, { ours: rank, plain: (query) => plain.search(query, DEPTH) }, print);
  printGate(judgments, { ours: rank, plain: (query) => plain.search(query, DEPTH) }, print);
  printLatency(judgments, { ours: rank, plain: (query) => plain.search(query, DEPTH) }, print);
  print(`index: ${state.index.size} products`);
}

function buildOurs(lines: readonly CatalogLine[], print: (line: string) => void): { rank: Rank; state: ServingState } {
  const started = performance.now();
  const state = new ServingState();
  state.putChannel(benchChannel);
  state.putAdvertiser({ id: "adv_bench", tenantId: benchChannel.tenantId, name: "Bench" });
  state.putCampaign(benchCampaign);
  for (const line of lines) {
    const details = line.product_detail.map(({ attribute_name: name, attribute_value: value }) => ({ name, value }));
    const { id, title, description: content, link: landingUrl, brand: brandName } = line;
    state.putItem(
      { kind: "product", id, campaignId: benchCampaign.id, title, content, landingUrl, brandName, inStock: true },
      details,
    );
  }
  print(`indexed in ${Math.round(performance.now() - started)} ms`);
  const rank = (query: string) =>
    decideOffers(state, benchRequest(query), { now: NOW, seed: "" })
      .candidates.slice(0, DEPTH)
      .map(({ item }) => item.id);
  return { rank, state };
}

function printRelevance(judgments: Judgments, rankers: Record<string, Rank>, print: (line: string) => void): void {
  const judged = [...judgments].filter(([, ratings]) => Math.max(...ratings.values()) > 0);
  for (const [name, rank] of Object.entries(rankers)) {
    let [ndcg, ndcgJudged, first] = [0, 0, 0];
    for (const [query, ratings] of judged) {
      const ids = rank(query);
      ndcg += ndcgOf(
        ids.map((id) => ratings.get(id) ?? 0),
        ratings,
      );
      ndcgJudged += ndcgOf(
        ids.filter((id) => ratings.has(id)).map((id) => ratings.get(id) ?? 0),
        ratings,
      );
      first += (ratings.get(ids[0] ?? "") ?? 0) > 0 ? 1 : 0;
    }
    const mean = (sum: number) => (sum / judged.length).toFixed(3);
    print(
      `${name.padEnd(6)} NDCG@8 ${mean(ndcg)}  judged products only ${mean(ndcgJudged)}  P@1 ${mean(first)}  (${judged.length} queries)`,
    );
  }
}

function printGate(judgments: Judgments, rankers: Record<string, Rank>, print: (line: string) => void): void {
  const wanted = [...judgments].filter(([, ratings]) => Math.max(...ratings.values()) > 1).map(([query]) => query);
  const chats = wanted.map((query, i) => (CHAT_FRAMES[i % CHAT_FRAMES.length] ?? "%").replace("%", query));
  const share = (rank: Rank, queries: readonly string[]) => {
    const served = queries.filter((query) => rank(query).length > 0).length;
    return `${((100 * served) / queries.length).toFixed(1)} % of ${queries.length}`;
  };
  for (const [name, rank] of Object.entries(rankers)) {
    const shares = [share(rank, wanted), share(rank, chats), share(rank, OUT_OF_SCOPE)];
    print(`${name.padEnd(6)} served: in scope ${shares[0]}, in scope as chat ${shares[1]}, out of scope ${shares[2]}`);
  }
}

function printLatency(judgments: Judgments, rankers: Record<string, Rank>, print: (line: string) => void): void {
  const queries = [...judgments.keys(), ...OUT_OF_SCOPE];
  for (const [name, rank] of Object.entries(rankers)) {
    for (const query of queries) rank(query);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const query of queries) {
        const started = performance.now();
        rank(query);
        times.push(performance.now() - started);
      }
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2);
    print(`${name.padEnd(6)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  max ${at(1)} ms`);
  }
}

function ndcgOf(gains: readonly number[], ratings: ReadonlyMap<string, number>): number {
  const ideal = [...ratings.values()].sort((a, b) => b - a).slice(0, DEPTH);
  return dcgOf(gains) / dcgOf(ideal);
}

const dcgOf = (ratings: readonly number[]): number =>
  ratings.reduce((sum, rating, i) => sum + (2 ** rating - 1) / Math.log2(i + 2), 0);

const readCatalog = (dir: string): CatalogLine[] =>
  gunzipSync(readFileSync(path.join(dir, "catalog.ndjson.gz")))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as CatalogLine);

function readJudgments(dir: string): Judgments {
  const judgments: Judgments = new Map();
  const rows = readFileSync(path.join(dir, "judgments-dev.csv"), "utf8").trim().split("\n").slice(1);
  for (const row of rows) {
    const match = /^(.*),([^,]+),(\d)\r?$/.exec(row);
    if (!match) continue;
    const [, query = "", id = "", rating = "0"] = match;
    const ratings = judgments.get(query) ?? new Map<string, number>();
    judgments.set(query, ratings.set(id, Number(rating)));
  }
  return judgments;
}
