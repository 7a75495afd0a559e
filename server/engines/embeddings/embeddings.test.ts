import { afterEach, beforeEach, expect, it } from "vitest";
import { type Behaviour, type EmbeddingsDouble, embeddingsDouble } from "../../../test/factories/embeddings-double";
import { ManualClock } from "../../kernel/clock";
import { Embeddings, EmbeddingsError } from "./embeddings";

const KEY = "sk-very-secret";
let double: EmbeddingsDouble;
let clock: ManualClock;
let embeddings: Embeddings;
beforeEach(async () => {
  double = await embeddingsDouble();
  clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  embeddings = new Embeddings({ url: `${double.url}/`, model: "double", apiKey: KEY }, clock);
});
afterEach(() => double.close());

const LONG = { timeoutMs: 20_000 };
const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_texts, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

it("sends the model, the texts and the key, and returns a vector per text", async () => {
  const vectors = await embeddings.embed(["red shoes", "blue hat"], LONG);
  expect(vectors.map(({ length }) => length)).toEqual([128, 128]);
  expect(double.requests).toEqual([
    { model: "double", texts: ["red shoes", "blue hat"], authorization: `Bearer ${KEY}` },
  ]);
  expect(await embeddings.embed(["blue hat"], LONG)).toEqual([vectors[1]]);
});

it("sends no Authorization header without a key", async () => {
  await new Embeddings({ url: double.url, model: "m", apiKey: undefined }, clock).embed(["a"], LONG);
  expect(double.requests[0]?.authorization).toBeUndefined();
});

const failureOf = async (texts = ["a"], options = LONG): Promise<EmbeddingsError> => {
  const failure = await embeddings.embed(texts, options).then(
    () => new Error("it succeeded"),
    (cause: unknown) => cause,
  );
  if (failure instanceof EmbeddingsError) return failure;
  throw failure;
};

it.each([
  [respond(500, KEY), /^status 500$/],
  [respond(401, KEY), /^status 401$/],
  [respond(200, `not JSON ${KEY}`), /^the response is not JSON$/],
  [respond(200, "{}"), /^the response has no array `data`$/],
  [respond(200, '{"data":[{"embedding":[1e999]}]}'), /^a component of a vector is not a finite number$/],
  [respond(200, " ".repeat(400_000)), /^a response of more than 165536 bytes$/],
  [respond(302, "", { location: "/v1/elsewhere" }), /^status 302$/],
] as const)("fails with a message without secrets (%#)", async (behaviour, expected) => {
  double.behave(behaviour);
  const failure = await failureOf();
  expect(failure.message).toMatch(expected);
  expect(JSON.stringify([failure, failure.stack, String(failure.cause)])).not.toContain(KEY);
  expect(failure.isRefusal).toBe(false);
});

it("sends nothing to where it is redirected", async () => {
  const other = await embeddingsDouble();
  double.behave(respond(307, "", { location: `${other.url}/embeddings` }));
  await failureOf();
  expect(other.requests).toEqual([]);
  await other.close();
});

it("gives up after its time, and when it is stopped", async () => {
  double.behave(() => new Promise(() => undefined));
  expect((await failureOf(["a"], { timeoutMs: 20 })).message).toBe("no response in time");
  const stopping = new AbortController();
  const stopped = embeddings.embed(["a"], { ...LONG, signal: stopping.signal });
  stopping.abort();
  await expect(stopped).rejects.toBeInstanceOf(EmbeddingsError);
});

it("names what is wrong with a server that does not run", async () => {
  const { url } = double;
  await double.close();
  const gone = new Embeddings({ url, model: "m", apiKey: KEY }, clock);
  await expect(gone.embed(["a"], LONG)).rejects.toThrowError(/^ECONNREFUSED$/);
  double = await embeddingsDouble();
});

it("leaves a failing server alone, and works again after a pause", async () => {
  double.behave(respond(503, ""));
  for (let i = 0; i < 3; i++) await failureOf();
  expect(embeddings.failure?.message).toBe("The embeddings server does not work: status 503.");
  expect((await failureOf()).message).toBe("paused after failures: status 503");
  expect(embeddings.isAvailable).toBe(false);
  expect(double.requests).toHaveLength(3);
  double.behave(undefined);
  clock.advance(1000);
  expect(embeddings.isAvailable).toBe(true);
  await embeddings.embed(["a"], LONG);
  expect(embeddings.failure).toBeUndefined();
});

it("does not pause because of texts that the server does not accept", async () => {
  double.behave(respond(413, ""));
  for (let i = 0; i < 5; i++) expect((await failureOf()).isRefusal).toBe(true);
  expect(embeddings.isAvailable).toBe(true);
});
