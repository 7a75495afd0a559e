import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EmbeddingsDouble, embeddingsDouble } from "../../../test/factories/embeddings-double";
import { Embeddings } from "../../engines/embeddings/embeddings";
import { ManualClock } from "../../kernel/clock";
import type { pause } from "../../kernel/pause";
import { NearestItems } from "./nearest-items";
import { quantize } from "./quantize";
import { VectorMatrix } from "./vector-matrix";

const TITLES = { prd_shoes: "trail shoes", prd_hat: "woolen hat", prd_lamp: "desk lamp" };

let double: EmbeddingsDouble;
let clock: ManualClock;
let matrix: VectorMatrix;
let embeddings: Embeddings;
beforeEach(async () => {
  double = await embeddingsDouble({ synonyms: [["shoes", "sneakers"]] });
  clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  embeddings = new Embeddings({ url: double.url, model: "double", apiKey: undefined }, clock);
  matrix = new VectorMatrix(2 ** 20);
  const vectors = await embeddings.embed(Object.values(TITLES), { timeoutMs: 20_000 });
  for (const [i, itemId] of Object.keys(TITLES).entries()) {
    matrix.put({ itemId, campaignId: "cmp_1", components: quantize(vectors[i] as number[]) });
  }
  double.requests.length = 0;
});
afterEach(() => double.close());

/** Time that passes only when a test says so. */
const NEVER: typeof pause = (_ms, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
const AT_ONCE: typeof pause = () => Promise.resolve();

const nearestWith = (wait: typeof pause) =>
  new NearestItems({ embedder: embeddings, matrix, cosineMin: 0.5, clock, wait });

/** Holds all responses back until the returned function is called. */
function holdResponses(): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<false>((resolve) => {
    release = () => resolve(false);
  });
  double.behave(() => held);
  return release;
}

it("finds an item by a synonym, and keeps what it found", async () => {
  const nearest = nearestWith(NEVER);
  const found = await nearest.of("Trail  SNEAKERS");
  expect(found?.ids).toEqual(["prd_shoes"]);
  expect(found?.cosines[0]).toBeGreaterThan(0.9);
  expect(nearest.of("trail sneakers ")).toBe(found);
  expect(double.requests.map(({ texts }) => texts)).toEqual([["trail sneakers"]]);
  expect(nearest.outcomes).toMatchObject({ in_time: 1, remembered: 1, late: 0 });
});

it("does not wait for a slow server, and has the vector for the next request", async () => {
  const release = holdResponses();
  const nearest = nearestWith(AT_ONCE);
  expect(await nearest.of("sneakers")).toBeUndefined();
  release();
  await vi.waitUntil(
    () => nearest.of("sneakers") !== undefined && !(nearest.of("sneakers") instanceof Promise),
    30_000,
  );
  expect(nearest.of("sneakers")).toMatchObject({ ids: ["prd_shoes"] });
  expect(double.requests).toHaveLength(1);
  expect(nearest.outcomes.late).toBeGreaterThan(0);
});

it("sends equal queries once", async () => {
  const nearest = nearestWith(NEVER);
  const found = await Promise.all(["hat", "Hat", " hat "].map((query) => nearest.of(query)));
  expect(found.map((one) => one?.ids)).toEqual([["prd_hat"], ["prd_hat"], ["prd_hat"]]);
  expect(double.requests).toHaveLength(1);
});

it("never rejects: a failing or nonsensical server leaves requests without vectors", async () => {
  const nearest = nearestWith(NEVER);
  for (const body of ["nonsense", '{"data":[{"embedding":["a"]}]}', "{}"]) {
    double.behave((_texts, response) => {
      response.end(body);
      return true;
    });
    expect(await nearest.of(`query ${body}`)).toBeUndefined();
  }
  expect(nearest.outcomes).toMatchObject({ failed: 3, skipped: 0 });
  expect(nearest.of("paused")).toBeUndefined();
  expect(nearest.outcomes.skipped).toBe(1);
  expect(double.requests).toHaveLength(3);
});

it("bounds the open requests, and decides further queries without vectors", async () => {
  const release = holdResponses();
  const nearest = nearestWith(NEVER);
  const open = Array.from({ length: 32 }, (_, i) => nearest.of(`hat number ${i}`));
  expect(nearest.of("one too many")).toBeUndefined();
  release();
  await Promise.all(open);
  expect(nearest.outcomes).toMatchObject({ in_time: 32, skipped: 1 });
});

it("compares a known query again after vectors changed, at most every two seconds, without the server", async () => {
  const nearest = nearestWith(NEVER);
  await nearest.of("hat");
  matrix.remove("prd_hat");
  expect(nearest.of("hat")).toMatchObject({ ids: ["prd_hat"] });
  clock.advance(2000);
  expect(await nearest.of("hat")).toBeUndefined();
  expect(nearest.of("hat")).toBeUndefined();
  expect(double.requests).toHaveLength(1);
});

it("sends nothing without words or without vectors", () => {
  expect(nearestWith(NEVER).of(" \n ")).toBeUndefined();
  const empty = new NearestItems({ embedder: embeddings, matrix: new VectorMatrix(1000), cosineMin: 0.5, clock });
  expect(empty.of("hat")).toBeUndefined();
  expect(double.requests).toEqual([]);
});

it("finds nothing in vectors of another length than the query's", async () => {
  const other = new VectorMatrix(1000);
  other.put({ itemId: "prd_1", campaignId: "cmp_1", components: Int8Array.of(1, 2, 3) });
  const nearest = new NearestItems({ embedder: embeddings, matrix: other, cosineMin: 0, clock, wait: NEVER });
  expect(await nearest.of("hat")).toBeUndefined();
});
