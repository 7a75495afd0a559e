import { pino } from "pino";
import { beforeEach, expect, it } from "vitest";
import { adsTest, call, feedBoot, makeCampaign, makeCreative, ndjson, uploadFeed } from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { type Behaviour, type EmbeddingsDouble, embeddingsDouble } from "../../../test/factories/embeddings-double";
import { openForFile } from "../../../test/factories/open-for-file";
import { Embeddings } from "../../engines/embeddings/embeddings";
import { updateCampaign } from "../campaigns/update-campaign";
import { deleteCreative } from "../creatives/delete-creative";
import { updateCreative } from "../creatives/update-creative";
import { ItemEmbedding } from "./embed-items";
import { VectorFollower } from "./follow-vectors";
import { VectorMatrix } from "./vector-matrix";

const log = pino({ level: "silent" });
const GOING_ON = new AbortController().signal;
let double: EmbeddingsDouble;
const scene = await openForFile(adsTest());

let ctx: AdsCtx;
let campaignId: string;
beforeEach(async () => {
  await scene.sql.query("TRUNCATE tenants CASCADE");
  double = await embeddingsDouble();
  ctx = (await scene.tenant()).key("live");
  campaignId = (await makeCampaign(ctx)).id;
  return () => double.close();
});

/** A worker process. */
const worker = (model = "double") =>
  new ItemEmbedding({
    sql: scene.sql,
    log,
    embedder: new Embeddings({ url: double.url, model, apiKey: undefined }, scene.clock),
  });

/** A process that serves requests. */
function web(model = "double") {
  const matrix = new VectorMatrix(2 ** 20);
  const follower = new VectorFollower({ sql: scene.sql, model, matrix, log });
  return { matrix, round: () => follower.round(GOING_ON) };
}

const texts = (): string[] => double.requests.flatMap((request) => request.texts);

const stored = async () => {
  const { rows } = await scene.sql.query<{ item_id: string; model: string; bytes: number | null; text: string }>(
    `SELECT item_id, model, octet_length(vector) AS bytes,
       coalesce((SELECT title FROM creatives WHERE id = item_id), (SELECT title FROM products WHERE id = item_id)) AS text
     FROM item_vectors ORDER BY item_id`,
  );
  return rows;
};

const boots = (count: number) =>
  uploadFeed(ctx, ndjson(...Array.from({ length: count }, (_, i) => feedBoot(`b${i}`))), { id: campaignId });

it("makes a vector of each creative and product once, from its words", async () => {
  await makeCreative(ctx, campaignId, { title: "Warm boots", content: "Dry feet", brand: { name: "Acme" } });
  await boots(40);
  const making = worker();
  await making.round(GOING_ON);
  expect(await stored()).toHaveLength(41);
  expect((await stored())[0]).toMatchObject({ model: "double", bytes: 128 });
  expect(texts()).toContain("Warm boots\nAcme\nDry feet");
  expect(Math.max(...double.requests.map((request) => request.texts.length))).toBeLessThanOrEqual(16);
  const requests = double.requests.length;
  await making.round(GOING_ON);
  await worker().round(GOING_ON);
  expect(double.requests).toHaveLength(requests);
  expect(making.made).toBe(41);
});

it("makes a new vector if a text changed, and none if something else did", async () => {
  const creative = await makeCreative(ctx, campaignId, { title: "Warm boots" });
  const making = worker();
  await making.round(GOING_ON);
  const serving = web();
  await serving.round();
  const before = serving.matrix.version;
  await call(ctx, updateCreative, { id: creative.campaign_id, creative_id: creative.id, cta: "Look" });
  await making.round(GOING_ON);
  expect(double.requests).toHaveLength(1);
  await call(ctx, updateCreative, { id: creative.campaign_id, creative_id: creative.id, title: "Light sandals" });
  await making.round(GOING_ON);
  expect(texts().at(-1)).toContain("Light sandals");
  await serving.round();
  expect(serving.matrix.version).toBeGreaterThan(before);
  expect(serving.matrix.size).toBe(1);
});

it("finds no changed item by its old text while the server fails", async () => {
  const creative = await makeCreative(ctx, campaignId, { title: "Warm boots" });
  const making = worker();
  await making.round(GOING_ON);
  const serving = web();
  await serving.round();
  double.behave((_texts, response) => {
    response.writeHead(503).end();
    return true;
  });
  await call(ctx, updateCreative, { id: campaignId, creative_id: creative.id, title: "Light sandals" });
  await expect(making.round(GOING_ON)).rejects.toThrowError("status 503");
  await serving.round();
  expect(serving.matrix.size).toBe(0);
  double.behave(undefined);
  await making.round(GOING_ON);
  await serving.round();
  expect(serving.matrix.size).toBe(1);
});

it("deletes the vectors of archived items, of deleted ones and of deleted tenants", async () => {
  const creative = await makeCreative(ctx, campaignId);
  await boots(3);
  const making = worker();
  await making.round(GOING_ON);
  const serving = web();
  await serving.round();
  expect(serving.matrix.size).toBe(4);
  await call(ctx, deleteCreative, { id: campaignId, creative_id: creative.id });
  await making.round(GOING_ON);
  expect(await stored()).toHaveLength(3);
  await serving.round();
  expect(serving.matrix.has(creative.id)).toBe(false);
  await scene.sql.query("DELETE FROM products WHERE external_id = 'b1'");
  await worker().round(GOING_ON);
  expect(await stored()).toHaveLength(2);
  await scene.sql.query("DELETE FROM tenants");
  expect(await stored()).toEqual([]);
  await serving.round();
  expect(serving.matrix.size).toBe(0);
});

it("makes all vectors again for another model, and uses only those of its own", async () => {
  await boots(5);
  await worker("first").round(GOING_ON);
  const [old, next] = [web("first"), web("second")];
  await Promise.all([old.round(), next.round()]);
  expect([old.matrix.size, next.matrix.size]).toEqual([5, 0]);
  await worker("second").round(GOING_ON);
  await Promise.all([old.round(), next.round()]);
  expect([old.matrix.size, next.matrix.size]).toEqual([0, 5]);
  expect((await stored()).map(({ model }) => model)).toEqual(new Array(5).fill("second"));
});

it("leaves out campaigns that cannot serve yet or any more", async () => {
  const draft = await makeCampaign(ctx, { status: "draft" });
  await makeCreative(ctx, draft.id);
  const making = worker();
  await making.round(GOING_ON);
  expect(await stored()).toEqual([]);
  await call(ctx, updateCampaign, { id: draft.id, status: "active" });
  await making.round(GOING_ON);
  expect(await stored()).toHaveLength(1);
  await call(ctx, updateCampaign, { id: draft.id, status: "ended" });
  await making.round(GOING_ON);
  expect(await stored()).toEqual([]);
});

it("continues after the server failed, without sending again what is stored", async () => {
  await boots(100);
  double.behave((_texts, response) => {
    if (double.requests.length <= 2) return false;
    response.writeHead(500).end();
    return true;
  });
  const making = worker();
  await expect(making.round(GOING_ON)).rejects.toThrowError("status 500");
  const before = (await stored()).length;
  expect(before).toBe(32);
  double.behave(undefined);
  double.requests.length = 0;
  await making.round(GOING_ON);
  expect(await stored()).toHaveLength(100);
  expect(texts()).toHaveLength(100 - before);
});

it("continues in another process after one that was stopped, and one that vanished in the middle", async () => {
  await boots(100);
  const stopping = new AbortController();
  double.behave(() => {
    if (double.requests.length === 3) stopping.abort();
    return false;
  });
  await worker()
    .round(stopping.signal)
    .catch(() => undefined);
  const some = (await stored()).length;
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(100);
  // A killed process leaves its connection to be closed by the kernel, and with it the lock.
  double.behave(async () => {
    await scene.sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    return false;
  });
  const vanished = worker();
  await vanished.round(GOING_ON).catch(() => undefined);
  double.behave(undefined);
  // Postgres needs a moment to see that a connection has ended.
  await expect
    .poll(async () => {
      await worker().round(GOING_ON);
      return (await stored()).length;
    })
    .toBe(100);
  expect(new Set(texts()).size).toBe(100);
});

it("lets one process at a time make vectors", async () => {
  await boots(20);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  double.behave(async () => {
    await held;
    return false;
  });
  const first = worker().round(GOING_ON);
  await expect.poll(() => double.requests.length).toBe(2);
  await worker().round(GOING_ON);
  expect(double.requests).toHaveLength(2);
  release();
  await first;
  expect(await stored()).toHaveLength(20);
});

it("stores that a text is not accepted, so that it holds up nothing and is sent again only after a change", async () => {
  const rejects: Behaviour = (sent, response) => {
    if (!sent.some((text) => text.includes("b7"))) return false;
    response.writeHead(422).end();
    return true;
  };
  await boots(20);
  double.behave(rejects);
  const making = worker();
  await making.round(GOING_ON);
  const vectors = await stored();
  expect(vectors.filter(({ bytes }) => bytes === null).map(({ text }) => text)).toEqual(["Boot b7"]);
  expect([vectors.length, making.refused]).toEqual([20, 1]);
  const serving = web();
  await serving.round();
  expect(serving.matrix.size).toBe(19);
  const requests = double.requests.length;
  await worker().round(GOING_ON);
  expect(double.requests).toHaveLength(requests);
});

it("loads no more vectors than fit into the memory", async () => {
  await boots(5);
  await worker().round(GOING_ON);
  const matrix = new VectorMatrix(3 * 128);
  await new VectorFollower({ sql: scene.sql, model: "double", matrix, log }).round(GOING_ON);
  expect(matrix.size).toBe(3);
});
