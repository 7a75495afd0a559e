import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { decideOffers } from "../../server/ads/ranking/decide-offers";
import type { ItemDetail } from "../../server/ads/ranking/serving";
import { ServingState } from "../../server/ads/ranking/serving-state";
import { benchCampaign, benchChannel, benchRequest } from "./relevance-scene";

/** A product as the catalogue file has it. */
export interface CatalogLine {
  id: string;
  title: string;
  description: string;
  link: string;
  brand: string;
  product_detail: { attribute_name: string; attribute_value: string | number | boolean }[];
}

/** Ratings 0 to 3 by product, by query. */
export type Judgments = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The ids of the best products for a query, best first; empty where nothing is offered. */
export type Rank = (query: string) => string[];

export const DEPTH = 8;
const NOW = new Date("2026-11-20T12:00:00Z");

/** The products of `catalog.ndjson.gz`. */
export const readCatalog = (dir: string): CatalogLine[] =>
  gunzipSync(readFileSync(path.join(dir, "catalog.ndjson.gz")))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as CatalogLine);

/** The ratings of `judgments-dev.csv` (query, product, rating). */
export function readJudgments(dir: string): Judgments {
  const judgments = new Map<string, Map<string, number>>();
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

/** The judged queries that some product answers, and those that none does. */
export function splitJudged(judgments: Judgments): { inScope: string[]; onlyZeros: string[] } {
  const best = [...judgments].map(([query, ratings]) => ({ query, rating: Math.max(...ratings.values()) }));
  const queriesOf = (isInScope: boolean) =>
    best.filter(({ rating }) => rating > 0 === isInScope).map(({ query }) => query);
  return { inScope: queriesOf(true), onlyZeros: queriesOf(false) };
}

/** A serving state that holds the products, each in the one campaign of the bench. */
export function stateOf(lines: readonly CatalogLine[]): ServingState {
  const state = new ServingState();
  state.putChannel(benchChannel);
  state.putAdvertiser({ id: "adv_bench", tenantId: benchChannel.tenantId, name: "Bench" });
  state.putCampaign(benchCampaign);
  for (const line of lines) {
    const details = line.product_detail.map(
      ({ attribute_name: name, attribute_value: value }): ItemDetail => ({ name, value }),
    );
    const { id, title, description: content, link: landingUrl, brand: brandName } = line;
    state.putItem(
      { kind: "product", id, campaignId: benchCampaign.id, title, content, landingUrl, brandName, inStock: true },
      details,
    );
  }
  return state;
}

/** The whole decision as a ranker: intent, gate, scores, diversity. */
export const rankOf =
  (state: ServingState): Rank =>
  (query) =>
    decideOffers(state, benchRequest(query), { now: NOW, seed: "" })
      .candidates.slice(0, DEPTH)
      .map(({ item }) => item.id);
