import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { rotateSigningKey } from "../../server/identity/session-tokens/rotate-signing-key";
import { systemClock } from "../../server/kernel/clock";
import { deriveKey } from "../../server/kernel/secrets";
import type { Scope } from "../../server/operation/actor";
import { ALL_QUOTAS } from "../../server/quotas";
import { hasRedisServer } from "../contract/redis-server";
import { ask, type GateQuery, startTwoServers, type TwoServers } from "./two-servers";

const ME = "/v1/tenants/me";
const CLIENTS = 200;
/** "Limits" of the specification: 400 at once, refilled at 10 a second, and 20 bulk requests in any minute. */
const BURST = 400;
const PER_SECOND = 10;
const BULK = 20;
/** The specification's limit for a key that ended. */
const KEY_ENDS_WITHIN_MS = 30_000;
const SAMPLES = 20;
const SOON = { timeout: 10_000, interval: 5 };

describe.skipIf(!hasRedisServer())("two server processes of one installation", () => {
  let two: TwoServers;
  let owner: string;
  beforeAll(async () => {
    two = await startTwoServers();
    owner = two.servers[0].keys.live;
  }, 300_000);
  afterAll(() => two?.close(), 300_000);

  async function newKey(...scopes: Scope[]): Promise<{ id: string; key: string }> {
    const made = await ask(two.servers[0], "/v1/keys", { key: owner, body: { name: "k", scopes } });
    expect(made.status, made.text).toBe(201);
    return JSON.parse(made.text);
  }

  /** The server of the i-th client: half of them on each. */
  const serverOf = (i: number) => two.servers[i % 2 === 0 ? 0 : 1];

  describe("under 200 clients with one key", () => {
    it("let 400 requests pass at once and 10 a second after that, together, and refuse all others with Retry-After", async () => {
      const { key } = await newKey("ads:read");
      const until = performance.now() + 2000;
      const answers: GateQuery[] = [];
      const client = async (i: number) => {
        while (performance.now() < until) answers.push(await ask(serverOf(i), ME, { key }));
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
      const passed = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const answer of refused) expectRateLimited(answer);
      const firstAnsweredAt = Math.min(...passed.map(({ answeredAt }) => answeredAt));
      const lastRefusalSentAt = Math.max(...refused.map(({ sentAt }) => sentAt));
      const firstSentAt = Math.min(...answers.map(({ sentAt }) => sentAt));
      const lastAnsweredAt = Math.max(...passed.map(({ answeredAt }) => answeredAt));
      const refilled = (fromMs: number, toMs: number) => (PER_SECOND * (toMs - fromMs)) / 1000;
      expect(passed.length).toBeGreaterThan(BURST + refilled(firstAnsweredAt, lastRefusalSentAt) - 1);
      expect(passed.length).toBeLessThanOrEqual(BURST + refilled(firstSentAt, lastAnsweredAt));
      print(`${passed.length} of ${answers.length} requests of ${CLIENTS} clients passed in 2 s`);
    });

    it("let exactly 20 bulk requests of a minute pass", async () => {
      const { key } = await newKey("audit:read");
      const answers = await Promise.all(
        Array.from({ length: CLIENTS }, (_, i) => ask(serverOf(i), "/v1/audit/verify", { key })),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(CLIENTS - BULK);
      for (const answer of refused) expectRateLimited(answer);
    });
  });

  describe("a key that ends on one of them", () => {
    it.each(["revoke", "rotate"] as const)(
      "by %s is refused on the other while requests with it go on",
      async (end) => {
        const took: number[] = [];
        for (let sample = 0; sample < SAMPLES / 2; sample++) took.push(await timeOfEnd(end, sample % 2 === 0));
        const times = sorted(took).map((ms) => ms.toFixed(0));
        print(`${end}: first refusal elsewhere ${times.join(", ")} ms after the call`);
        expect(Math.max(...took)).toBeLessThan(KEY_ENDS_WITHIN_MS);
      },
    );

    /** Milliseconds from the call that ends a key until the other process refused it for the first time and every time after. */
    async function timeOfEnd(end: "revoke" | "rotate", isKnownThere: boolean): Promise<number> {
      const [here, there] = two.servers;
      const { id, key } = await newKey("ads:read");
      if (isKnownThere) expect((await ask(there, ME, { key })).status).toBe(200);
      const answers: GateQuery[] = [];
      const giveUpAt = performance.now() + KEY_ENDS_WITHIN_MS;
      let refusals = 0;
      const client = async () => {
        // Some more after the first refusal: a look-up that was under way must not bring the key back.
        while (refusals < 30 && performance.now() < giveUpAt) {
          const answer = await ask(there, ME, { key });
          answers.push(answer);
          if (answer.status === 401) refusals++;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      const clients = Promise.all([client(), client(), client(), client()]);
      const ended = await ask(here, `/v1/keys/${id}/${end}`, { key: owner, body: {} });
      expect(ended.status, ended.text).toBe(200);
      if (end === "rotate") expect((await ask(there, ME, { key: JSON.parse(ended.text).key })).status).toBe(200);
      await clients;
      const [refused, passed] = [
        answers.filter(({ status }) => status === 401),
        answers.filter(({ status }) => status !== 401),
      ];
      const refusedAt = Math.min(...refused.map(({ answeredAt }) => answeredAt));
      expect(
        passed.filter(({ sentAt }) => sentAt > refusedAt),
        "revived",
      ).toEqual([]);
      return refusedAt - ended.sentAt;
    }
  });

  describe("a session token", () => {
    const logIn = async (server: number): Promise<{ token: string; cookie: string }> => {
      const { email, password } = two.servers[0].dashboard;
      const answer = await ask(two.servers[server === 0 ? 0 : 1], "/v1/auth/login", { body: { email, password } });
      expect(answer.status, answer.text).toBe(200);
      const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
      return { token: JSON.parse(answer.text).access_token, cookie };
    };

    it("of one works on the other, where its cookie is exchanged, and ends with a log-out on the first", async () => {
      const [here, there] = two.servers;
      const { token, cookie } = await logIn(0);
      expect((await ask(there, ME, { key: token })).status).toBe(200);
      const refreshed = await ask(there, "/v1/auth/refresh", { body: {}, headers: { cookie } });
      expect(refreshed.status, refreshed.text).toBe(200);
      const next = JSON.parse(refreshed.text).access_token;
      const tokens = [token, next];
      for (const key of tokens) expect((await ask(here, ME, { key })).status).toBe(200);
      const nextCookie = refreshed.headers.get("set-cookie")?.split(";")[0] ?? "";
      const ended = await ask(here, "/v1/auth/logout", { body: {}, headers: { cookie: nextCookie } });
      expect(ended.status, ended.text).toBe(204);
      const statuses = () =>
        Promise.all(
          two.servers.flatMap((server) => tokens.map(async (key) => (await ask(server, ME, { key })).status)),
        );
      await expect.poll(statuses, { timeout: KEY_ENDS_WITHIN_MS, interval: 5 }).toEqual([401, 401, 401, 401]);
      print(`log-out: refused elsewhere after ${(performance.now() - ended.answeredAt).toFixed(0)} ms`);
    });

    it("that a new signing key has signed works on both, and so does one of the key before", async () => {
      const before = await logIn(0);
      const { db, counters, secret } = two;
      const { kid } = await rotateSigningKey(
        { db, counters, clock: systemClock, jwtKey: deriveKey(secret, "jwt") },
        {},
      );
      const after = await logIn(1);
      const headerOf = ({ token }: { token: string }) =>
        JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
      expect(headerOf(after).kid).toBe(kid);
      expect(headerOf(before).kid).not.toBe(kid);
      for (const server of two.servers)
        for (const { token: key } of [before, after]) expect((await ask(server, ME, { key })).status).toBe(200);
    });
  });

  describe("equal idempotent requests", () => {
    const create = (i: number, name: string, idempotencyKey: string) =>
      ask(serverOf(i), "/v1/projects", { key: owner, body: { name }, headers: { "idempotency-key": idempotencyKey } });
    const named = (name: string) => two.db.project.count({ where: { name } });

    it("1,000 at once make one project and one answer", async () => {
      const { db, counters } = two;
      const lifted = {
        tenant_id: two.servers[0].keys.tenantId,
        resource: "requests_per_minute",
        limit: 60_000,
      } as const;
      await setQuota({ db, counters, clock: systemClock, quotas: ALL_QUOTAS }, lifted);
      const limitAt = async (i: number) => (await ask(serverOf(i), ME, { key: owner })).headers.get("ratelimit-limit");
      for (const i of [0, 1]) await expect.poll(() => limitAt(i), SOON).toBe("60000");
      const atOnce = (one: (i: number) => Promise<GateQuery>) =>
        Promise.all(Array.from({ length: 1000 }, (_, i) => one(i)));
      // Opens the connections, so that the creations come as close together as can be.
      await atOnce((i) => ask(serverOf(i), ME, { key: owner }));
      const idempotencyKey = randomUUID();
      const answers = await atOnce((i) => create(i, "once", idempotencyKey));
      const made = answers.filter(({ status }) => status === 201);
      const running = answers.filter(({ status }) => status !== 201);
      print(`1,000 equal requests: ${made.length} answered with the project, ${running.length} told to wait`);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      expect(made.filter(({ headers }) => !headers.has("idempotency-replayed"))).toHaveLength(1);
      for (const { status, text } of running)
        expect({ status, reason: JSON.parse(text).error.details?.reason }).toEqual({
          status: 409,
          reason: "idempotency_running",
        });
      expect(await named("once")).toBe(1);
      for (const i of [0, 1]) expect((await create(i, "once", idempotencyKey)).text).toBe(made[0]?.text);
    });

    // The last one: it leaves one process only.
    it("run at once on the other process when kill -9 met the one that was at it", async () => {
      const [doomed] = two.servers;
      const idempotencyKey = randomUUID();
      await doomed.trap("answer.kept");
      await expect(create(0, "survivor", idempotencyKey)).rejects.toThrow();
      expect(await doomed.ended).toBe("SIGKILL");
      const diedAt = performance.now();
      // Postgres needs a moment to see that its client is gone; until then the first one may still be running for all it knows.
      const statusElsewhere = async () => (await create(1, "survivor", idempotencyKey)).status;
      await expect.poll(statusElsewhere, SOON).toBe(201);
      print(`kill -9: made elsewhere after ${(performance.now() - diedAt).toFixed(0)} ms`);
      expect(await named("survivor")).toBe(1);
    });
  });
});

function expectRateLimited({ status, headers, text }: GateQuery): void {
  expect(status, text).toBe(429);
  expect(JSON.parse(text).error.code).toBe("rate_limited");
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

const print = (line: string): void => void process.stderr.write(`${line}\n`);
