import { Writable } from "node:stream";
import { pino } from "pino";
import { beforeEach, expect, it } from "vitest";
import { updateCreative } from "../../server/ads/creatives/update-creative";
import type { Explanation } from "../../server/ads/explain/explanation";
import { directPaths } from "../../server/direct-paths";
import { call, makeCampaign, makeCreative } from "../factories/ads";
import { eventually, makeShop, served, testApp } from "../factories/app";
import { manage, offersFor, platformKey } from "../factories/calls";
import { embeddingsDouble } from "../factories/embeddings-double";
import { openForFile } from "../factories/open-for-file";

const KEY = "sk-nobody-may-see-this";
const SECRET_WORDS = "confidential";

let logged = "";
const double = await openForFile(embeddingsDouble({ synonyms: [["shoes", "sneakers", "trainers", "kicks", "pumps"]] }));
const stream = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});
const env = {
  EMBEDDINGS_URL: double.url,
  EMBEDDINGS_MODEL: "double",
  EMBEDDINGS_API_KEY: KEY,
  EMBEDDINGS_COSINE_MIN: "0.4",
};
const test = await openForFile(testApp({ env, log: pino({ level: "trace" }, stream) }));
const shop = await makeShop(test, { creative: { title: "Running shoes", content: "Shoes" } });
const key = await platformKey(shop.ctx, { mode: "live", scopes: ["ads:read"] });
for (const title of ["Desk lamp", "Woolen hat", "Water bottle"]) {
  const campaign = await makeCampaign(shop.ctx, { mode: "live", name: title });
  await makeCreative(shop.ctx, campaign.id, { title, content: title });
}
await served(test, shop.serverKey);
await eventually(() => test.app.vectors?.size === 4);
beforeEach(() => {
  double.behave(undefined);
  test.clock.advance(120_000);
});

const titles = async (query: string): Promise<unknown[]> => {
  const { offers } = await offersFor(test, shop.serverKey, { query, limit: 3 });
  return offers.map(({ title }) => title);
};

/** Asks until an answer is as expected: the first one may come before the vector. */
const eventuallyTitles = (query: string) => expect.poll(() => titles(query));

const explain = async (query: string) => {
  const response = await manage(test, "/v1/ads/explain", { key, body: { channel_id: shop.channel.id, query } });
  return (await response.json()) as Explanation;
};

it("offers what nobody described with the words of the request", async () => {
  await eventuallyTitles("sneakers").toEqual(["Running shoes"]);
  expect(await titles("running shoes")).toEqual(["Running shoes"]);
  expect(test.app.vectors?.nearest?.outcomes.failed).toBe(0);
});

it("stays silent where nothing is near, and where something is near but nothing is wanted", async () => {
  for (const query of ["violin lessons", "what is the capital of france", "how do I clean my sneakers at home"]) {
    await explain(query);
    expect(await titles(query), query).toEqual([]);
  }
});

it("explains the cosine of an offer, and what it adds to the probability", async () => {
  // From then on the vector is remembered.
  await eventuallyTitles("trainers").toEqual(["Running shoes"]);
  const { reading, fates } = await explain("trainers");
  const offered = fates.find(({ outcome }) => outcome === "offered");
  expect(offered).toMatchObject({ title: "Running shoes", cosine: reading?.nearest_cosine });
  expect(offered?.cosine).toBeGreaterThan(0.4);
  expect(reading?.nearest_part).toBeGreaterThan(0);
  expect(reading?.probability).toBeGreaterThan(reading?.threshold ?? 1);
  await expect.poll(async () => (await explain("desk lamp")).reading?.nearest_part).toBeCloseTo(0, 1);
});

it("answers while the server does not, and has the vector for a later request", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<false>((resolve) => {
    release = () => resolve(false);
  });
  double.behave(() => held);
  expect(await titles("kicks")).toEqual([]);
  expect(await titles("desk lamp")).toEqual(["Desk lamp"]);
  release();
  await eventuallyTitles("kicks").toEqual(["Running shoes"]);
});

it("answers while the server fails or responds with nonsense, and works again by itself", async () => {
  const { vectors } = test.app;
  for (const body of ["{", '{"data":[]}', '{"data":[{"embedding":"x"}]}']) {
    double.behave((_texts, response) => {
      response.writeHead(200).end(body);
      return true;
    });
    await explain(`pumps ${body}`);
    expect(await titles("desk lamp")).toEqual(["Desk lamp"]);
  }
  await expect(vectors?.ping()).rejects.toThrowError(/embeddings server does not work/);
  expect(await titles("pumps")).toEqual([]);
  double.behave(undefined);
  test.clock.advance(60_000);
  await eventuallyTitles("pumps").toEqual(["Running shoes"]);
  await expect(vectors?.ping()).resolves.toBeUndefined();
});

it("finds an item by its new title, and no longer by its old one", async () => {
  const campaign = await makeCampaign(shop.ctx, { mode: "live", name: "Changing" });
  const creative = await makeCreative(shop.ctx, campaign.id, { title: "Garden sofa", content: "Sofa" });
  await eventually(() => test.app.vectors?.size === 5);
  const title = "Canvas shoes";
  await call(shop.ctx, updateCreative, { id: campaign.id, creative_id: creative.id, title, content: "Shoes" });
  const cosineOf = async (query: string) => (await explain(query)).fates.find((fate) => fate.title === title)?.cosine;
  // Neighbours may be two seconds old, by a clock that only the test moves.
  await expect
    .poll(async () => {
      test.clock.advance(2000);
      return cosineOf("sneakers");
    })
    .toBeGreaterThan(0.4);
  expect(await cosineOf("garden sofa")).toBeFalsy();
});

it("is an optional engine of /readyz, with its reason while it fails, and has metrics", async () => {
  const { paths } = directPaths(test.config, { app: test.app, engines: test.engines, isStopping: () => false });
  const textOf = async (at: string) => {
    const direct = paths.find(({ path }) => path === at);
    const response = await direct?.answer(new Request(`http://localhost:3000${at}`), { address: "127.0.0.1" });
    return { status: response?.status, text: (await response?.text()) ?? "" };
  };
  const engine = async () => {
    const { status, text } = await textOf("/readyz");
    return { status, ...JSON.parse(text).engines.find(({ name }: { name: string }) => name === "embeddings") };
  };
  await explain("slippers");
  expect(await engine()).toEqual({ status: 200, name: "embeddings", required: false, ok: true });
  double.behave((_texts, response) => {
    response.writeHead(503).end();
    return true;
  });
  for (const query of ["one", "two", "three"]) await explain(`slippers ${query}`);
  const error = "The embeddings server does not work: status 503.";
  expect(await engine()).toMatchObject({ status: 200, ok: false, error });
  const { text } = await textOf("/metrics");
  expect(text).toMatch(/^svc_item_vectors 5$/m);
  expect(text).toMatch(/^svc_query_vectors_failed_total [1-9]/m);
});

it("logs no secret and no query", async () => {
  double.behave((_texts, response) => {
    response.writeHead(500).end(KEY);
    return true;
  });
  await explain(SECRET_WORDS);
  expect(double.requests.some(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true);
  expect(logged).toContain("vectors");
  expect(logged).not.toContain(KEY);
  expect(logged).not.toContain(SECRET_WORDS);
});

it("is off by default: nothing is sent, and decisions use no vectors", async () => {
  const requests = double.requests.length;
  const plain = await testApp();
  try {
    const other = await makeShop(plain, { creative: { title: "Running shoes", content: "Shoes" } });
    expect(plain.app.vectors).toBeUndefined();
    const asked = async (query: string) => (await offersFor(plain, other.serverKey, { query })).offers.length;
    expect([await asked("running shoes"), await asked("sneakers")]).toEqual([1, 0]);
    expect(double.requests).toHaveLength(requests);
    const { rows } = await plain.engines.sql.query("SELECT FROM item_vectors");
    expect(rows).toEqual([]);
  } finally {
    await plain.stop();
  }
});
