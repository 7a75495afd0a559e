import { randomBytes } from "node:crypto";
import { type ClientRequest, request as httpRequest } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { FEED_LIMITS } from "../../server/ads/products/feed-limits";
import { directPaths } from "../../server/direct-paths";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { createClientAddress } from "../../server/surfaces/http/client-address";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { accountScene, type LoggedIn } from "../factories/account-scene";
import { feedBoot, makeCampaign, ndjson } from "../factories/ads";
import { eventually, testApp } from "../factories/app";
import { PASSWORD } from "../factories/identity";
import { isLongRun } from "../factories/sampled";
import { freePort } from "../factories/server-process";

const MIB = 1024 * 1024;
const UPLOADS = 20;
const PEOPLE = 3;
/** Of refused rows: fewer than svc takes, so that as many uploads end sooner. */
const ROWS_MAX = FEED_LIMITS.rowsMax / 500;
/** Without a pause the questions would take a core from the imports. */
const ASKS_EVERY_MS = 5;

interface Uploader {
  as: LoggedIn;
  cookie: string;
  key: string;
}

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const t = await testApp({ env: { PUBLIC_URL: url } });
t.app.ads.imports.limits = { ...FEED_LIMITS, rowsMax: ROWS_MAX };
const { server, serve } = createHttpServer({
  tls: undefined,
  publicUrl: url,
  allowedHosts: [],
  log: pino({ level: "silent" }),
});
const { paths } = directPaths(t.config, { app: t.app, engines: t.engines, isStopping: () => false });
serve({ direct: paths, pages: (_, outgoing) => void outgoing.end(), clientAddress: createClientAddress([]) });
await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
const close = async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await t.stop();
};
const scene = await accountScene(t);
const uploaders = await Promise.all(Array.from({ length: PEOPLE }, () => uploader(scene)));
// A person may send 20 feeds a minute.
beforeEach(() => t.clock.advance(60_000));
afterEach(() => t.app.ads.imports.slots.stop());
afterAll(() => close());

async function uploader(scene: Awaited<ReturnType<typeof accountScene>>): Promise<Uploader> {
  const { cookie } = await signUp.run(scene.visitor(), { email: scene.newEmail(), password: PASSWORD });
  const session = await t.app.session(cookie.split(";")[0] ?? "");
  if (!session) throw new Error("a sign-up opened no session");
  const as = { ...scene.owner, actor: session.actor, session };
  const project = await t.app.ads.db.project.findFirstOrThrow({ where: { tenantId: session.actor.tenantId } });
  const fields = { name: "feeds", project: project.id, scopes: ["ads:write"], mode: "test" };
  const { key } = await createApiKey.run(as, createApiKey.input.parse(fields));
  return { as, cookie: cookie.split(";")[0] ?? "", key };
}

interface Upload {
  campaign: string;
  by: Uploader;
  surface: "rest" | "trpc";
  type: string;
  mode?: "merge" | "replace";
}

/** One upload as a client sends it; `answer` rejects when the connection breaks. */
function open({ campaign, by, surface, type, mode = "merge" }: Upload) {
  const isRest = surface === "rest";
  const headers = isRest
    ? { authorization: `Bearer ${by.key}`, "content-type": type }
    : {
        cookie: by.cookie,
        origin: url,
        "content-type": "application/octet-stream",
        "x-svc-campaign": campaign,
        "x-svc-feed-mode": mode,
      };
  const path = isRest ? `/v1/ads/campaigns/${campaign}/products?mode=${mode}` : "/api/trpc/importProducts";
  const request = httpRequest(`${url}${path}`, { method: "POST", headers, agent: false });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    request.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  return { request, answer };
}

async function send(upload: Upload, body: Uint8Array | string) {
  const { request, answer } = open(upload);
  request.end(body);
  return answer;
}

const campaignOf = async ({ as }: Uploader) => (await makeCampaign(as, { mode: "test" })).id;
const threads = () => (process.report.getReport() as { workers: unknown[] }).workers.length;
const live = (campaignId: string) => t.app.ads.db.product.count({ where: { campaignId, archivedAt: null } });
const TYPES = ["application/x-ndjson", "text/csv", "text/tab-separated-values", "application/xml"];

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The memory that this process still uses, exact because garbage is collected first. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Of 16 MiB each: 1 GiB in a long run. */
const MEMBERS = isLongRun ? 64 : 16;
const EMPTY_MEMBERS = isLongRun ? 50_000 : 15_000;

/** A text again and again in about 1 MB or less: gzip members one after another. */
function bombOf(text: string, head = ""): Buffer {
  const member = gzipSync(text.repeat((16 * MIB) / text.length), { level: 9 });
  return Buffer.concat([gzipSync(head), ...Array.from({ length: MEMBERS }, () => member)]);
}

const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${Array.from("bcdefghij")
  .map((name, i) => `<!ENTITY ${name} "${`&${"abcdefghi"[i]};`.repeat(10)}">`)
  .join("")}]><rss>&j;</rss>`;

describe(`${UPLOADS} uploads at once`, () => {
  it.each<[string, () => Buffer]>([
    ["newlines", () => bombOf("\n")],
    ["spaces", () => bombOf(" ")],
    ["opening brackets", () => bombOf("<")],
    ["quotation marks", () => bombOf('"')],
    ["one line", () => bombOf("x")],
    ["nested elements", () => bombOf("<a>  ")],
    ["empty items", () => bombOf("<item/>\n", "<rss>")],
    ["rows that are no products", () => bombOf("1,2,3,4\n", "id,title,link\n")],
    ["entities", () => gzipSync(laughs)],
    ["empty gzip members", () => Buffer.concat(Array.from({ length: EMPTY_MEMBERS }, () => gzipSync("")))],
    ["damaged zip files", () => Buffer.concat([Buffer.from("PK\x03\x04"), randomBytes(MIB)])],
  ])("of %s leave the server responsive, and nothing of them is left", async (_, make) => {
    const body = make();
    const campaigns = await Promise.all(Array.from({ length: UPLOADS }, (_, i) => campaignOf(personOf(i))));
    const before = memoryInUse();
    const residentBefore = process.memoryUsage().rss;
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const uploads = campaigns.map((campaign, i) =>
      send({ campaign, by: personOf(i), surface: i % 2 ? "rest" : "trpc", type: TYPES[i % 4] ?? "" }, body),
    );
    const { answered, answers } = await askMeanwhile(uploads);
    delay.disable();
    expect(answered).toBeGreaterThan(0);
    expect(delay.max / 1e9).toBeLessThan(2);
    for (const { status, text } of answers) {
      // 503: the pool of this test has 8 connections, and a busy machine may not hand one over in time.
      expect([200, 400, 413, 422, 429, 503]).toContain(status);
      if (status !== 200) expect(text).toMatch(/"reason":"\w+"/);
    }
    expect(answers.some(({ status }) => status === 429)).toBe(true);
    expect(threads()).toBe(0);
    await eventually(() => memoryInUse() < before + 32 * MIB);
    // The allocator keeps some memory of ended threads for a while; 5 GiB or more passed through.
    expect(process.memoryUsage().rss).toBeLessThan(residentBefore + 1024 * MIB);
    const feed = ndjson(feedBoot("1"));
    const [campaign = ""] = campaigns;
    expect(await send({ campaign, by: personOf(0), surface: "rest", type: TYPES[0] ?? "" }, feed)).toMatchObject({
      status: 200,
    });
  });
});

const personOf = (i: number): Uploader => uploaders[i % PEOPLE] as Uploader;

/** The answers of uploads, and how many other requests were answered before the last of them. */
async function askMeanwhile(uploads: ReturnType<typeof send>[]) {
  let isDone = false;
  const all = Promise.all(uploads).finally(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    if (!isDone) answered++;
    await sleep(ASKS_EVERY_MS);
  }
  return { answers: await all, answered };
}

describe.each(["rest", "trpc"] as const)("a client of %s", (surface) => {
  const boots = (count: number, from = 0) =>
    ndjson(...Array.from({ length: count }, (_, i) => feedBoot(`${from + i}`)));

  /** An upload that has sent `rows` products and goes on. */
  async function halfSent(
    rows: number,
  ): Promise<{ campaign: string; request: ClientRequest; broken: Promise<unknown> }> {
    const by = personOf(0);
    const campaign = await campaignOf(by);
    expect((await send({ campaign, by, surface, type: TYPES[0] ?? "" }, boots(5))).status).toBe(200);
    const { request, answer } = open({ campaign, by, surface, type: TYPES[0] ?? "", mode: "replace" });
    const broken = answer.catch((cause: unknown) => cause);
    request.write(boots(rows, 100));
    await eventually(async () => (await live(campaign)) >= 5 + Math.floor(rows / 1000) * 1000);
    return { campaign, request, broken };
  }

  it("that disconnects stops its import: the thread ends, nothing is archived, and the campaign takes the next feed", async () => {
    const { campaign, request, broken } = await halfSent(2500);
    expect(threads()).toBe(1);
    request.destroy();
    expect(await broken).toBeInstanceOf(Error);
    await eventually(() => threads() === 0);
    const stored = await live(campaign);
    expect(stored).toBeGreaterThanOrEqual(2005);
    const next = { campaign, by: personOf(0), surface, type: TYPES[0] ?? "" };
    await eventually(async () => (await send(next, boots(1))).status === 200);
    expect(await live(campaign)).toBe(stored);
  });

  it("that sends a second feed while the first one runs gets 409, and the first one loses nothing", async () => {
    const { campaign, request } = await halfSent(1000);
    const second = await send({ campaign, by: personOf(0), surface, type: TYPES[0] ?? "" }, boots(1));
    expect(second.status).toBe(409);
    expect(second.text).toContain('"reason":"import_running"');
    const finished = new Promise((resolve) => request.on("close", resolve));
    request.end(boots(1, 1100));
    await finished;
    expect(await live(campaign)).toBe(1001);
  });

  it("that has as many imports as it may gets 429 with a time to retry after", async () => {
    // 1,000 rows each: only an import that has its slot stores a batch, so all three run when the fourth is sent.
    const running = [await halfSent(1000), await halfSent(1000), await halfSent(1000)];
    const by = personOf(0);
    const refused = await send({ campaign: await campaignOf(by), by, surface, type: TYPES[0] ?? "" }, boots(1));
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(/"retry_after":\d+/);
    expect(refused.text).toContain('"reason":"too_many_imports"');
    for (const { request, broken } of running) {
      request.destroy();
      await broken;
    }
  });
});
