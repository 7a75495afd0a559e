import fc from "fast-check";
import { Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConfirmCaps, Counters } from "../../server/engines/counters/counters";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { connectRedisCounters } from "../../server/engines/counters/redis-counters";
import { systemClock } from "../../server/kernel/clock";
import { waitFor } from "../factories/wait-for";
import { countersContract } from "./counters";
import { hasRedisServer, type RedisServer, startRedisServer } from "./redis-server";

/** Thousands of calls at once on a busy machine: here counts what is answered, not when. */
const PATIENT = { callTimeoutMs: 60_000 };

if (hasRedisServer()) {
  countersContract("Redis", onServer, { hasRealClock: true });
  describe("counters: Redis, alone", () => {
    sameAsMemory();
    away();
    lostCounts();
    keys();
    roundTrips();
    passwords();
  });
} else {
  // Seen by everybody who runs the tests: half of the counters is not proved on this machine.
  process.stderr.write("\nSKIPPED: the Redis half of the counters contract. Install redis-server 6.2+ to run it.\n\n");
  describe.skip("counters: Redis (redis-server is not installed)", () => {
    it("keeps the counters contract", () => {});
  });
}

async function onServer() {
  const server = await startRedisServer();
  const counters = await connectRedisCounters(server.url, PATIENT);
  const other = await connectRedisCounters(server.url, PATIENT);
  const clock = new Redis(server.url);
  const close = async () => {
    for (const one of [counters, other]) await one.close();
    clock.disconnect();
    await server.close();
  };
  return { counters, other, slackMs: 20_000, pass: (ms: number) => passed(clock, ms), close };
}

/** Waits until the server's own clock has moved. */
async function passed(redis: Redis, ms: number): Promise<void> {
  const now = async () => {
    const [seconds, micros] = await redis.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  };
  const end = (await now()) + ms;
  await waitFor(async () => expect(await now()).toBeGreaterThanOrEqual(end), { interval: 5, timeout: ms + 60_000 });
}

/** One step of a random history of one user: which windows, which id. */
const step = fc.record({
  verb: fc.constantFrom(
    "reserve",
    "reserve",
    "reserve",
    "look",
    "settle",
    "settle",
    "release",
    "hold",
    "take",
    "window",
  ),
  ids: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 }),
  windows: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
  wanted: fc.integer({ min: 0, max: 3 }),
  agedHours: fc.constantFrom(0, 3, 11),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function sameAsMemory(): void {
  let server: RedisServer;
  let redis: Counters;
  beforeAll(async () => {
    server = await startRedisServer();
    redis = await connectRedisCounters(server.url, PATIENT);
  });
  afterAll(async () => {
    await redis.close();
    await server.close();
  });

  it("answers every random history of caps and rates as the in-process engine does", async () => {
    let user = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const memory = new MemoryCounters(systemClock);
        user++;
        for (const one of steps) {
          expect(await run(redis, `user-${user}`, one)).toEqual(await run(memory, `user-${user}`, one));
        }
      }),
      { numRuns: 150 },
    );
  });
}

/** The last one is the first with another limit. */
const WINDOWS = [1, 2, 3, 2].map((count, i) => ({
  key: `campaign:${i % 3}`,
  count,
  windowMs: ((i % 3) + 1) * 4 * 3_600_000,
}));

async function run(counters: Counters, user: string, { verb, ids, windows: chosen, wanted, agedHours }: Step) {
  const windows = chosen.map((i) => WINDOWS[i] ?? { key: "none", count: 0, windowMs: 1 });
  const confirm: ConfirmCaps = {
    user,
    id: `offer-${ids[0]}`,
    reservedAtMs: Date.now() - agedHours * 3_600_000,
    windows,
  };
  if (verb === "take") {
    const { allowed, remaining } = await counters.take(user, { perSecond: 1e-4, burst: 6 }, ids.length);
    return { allowed, remaining };
  }
  if (verb === "window") {
    const { allowed, remaining } = await counters.takeWindow(user, { count: ids.length, windowMs: 4 * 3_600_000 });
    return { allowed, remaining };
  }
  if (verb === "settle") return counters.confirm(confirm);
  if (verb === "release") return counters.release(confirm);
  if (verb === "hold") return counters.confirm({ ...confirm, holdMs: 7_200_000 });
  const candidates = ids.map((id, i) => ({ id: `offer-${id}`, windows: windows.map((_, w) => w).slice(i % 2) }));
  if (verb === "look") return counters.look({ user, windows, candidates, wanted });
  return (await counters.reserve({ user, windows, candidates, wanted, holdMs: 7_200_000 })).verdicts;
}

function away(): void {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  const connected = async (options?: typeof PATIENT) => {
    const server = await startRedisServer();
    const counters = await connectRedisCounters(server.url, options);
    open.push(counters, server);
    return { server, counters };
  };
  const rate = { perSecond: 0.01, burst: 1 };
  const unavailable = { code: "unavailable", details: { reason: "counters_unavailable" } };

  it("refuses within its bound while the server hangs, and goes on when it answers again", async () => {
    const { server, counters } = await connected();
    server.freeze();
    // The bound is 500 ms; a minute would mean that it waits for the socket.
    const late = new Promise((resolve) => setTimeout(resolve, 60_000, "late").unref());
    const outcome = Promise.allSettled([counters.take("key", rate), counters.publish("t", "m"), counters.ping()]);
    expect(await Promise.race([outcome, late])).toMatchObject([
      { reason: unavailable },
      { reason: unavailable },
      { reason: unavailable },
    ]);
    server.thaw();
    await expect.poll(() => counters.ping().then(() => "back")).toBe("back");
  });

  it("refuses at once while the server is gone, then reconnects, subscribes again and keeps its scripts", async () => {
    const { server, counters } = await connected(PATIENT);
    const heard: string[] = [];
    await counters.subscribe("topic", (message) => heard.push(message));
    await counters.take("key", rate);
    await server.kill();
    await expect(counters.take("key", rate)).rejects.toMatchObject(unavailable);
    await expect(counters.subscribe("more", () => {})).rejects.toMatchObject(unavailable);
    await server.restart();
    const back = { timeout: 30_000 };
    await expect.poll(() => counters.ping().then(() => "back", String), back).toBe("back");
    // The restarted server knows neither the key nor the scripts.
    expect((await counters.take("key", rate)).allowed).toBe(true);
    await expect.poll(() => counters.publish("topic", "again").then(() => heard.length > 0), back).toBe(true);
  });

  it("fails to start against an address where nothing listens, and names it without the password", async () => {
    const refused = connectRedisCounters("redis://user:hunter2@127.0.0.1:1", { connectTimeoutMs: 2000 });
    await expect(refused).rejects.toMatchObject({ code: "unavailable" });
    await expect(refused).rejects.toThrow("127.0.0.1:1");
    await expect(refused).rejects.not.toThrow("hunter2");
  });
}

function lostCounts(): void {
  let server: RedisServer;
  let redis: Redis;
  let counters: Counters;
  beforeEach(async () => {
    server = await startRedisServer();
    redis = new Redis(server.url);
    counters = await connectRedisCounters(server.url, PATIENT);
    expect(await counters.rebuild(async () => 1)).toBe(true);
    expect(await counters.countedThrough()).toBe(1);
  });
  afterEach(async () => {
    redis.disconnect();
    await counters.close();
    await server.close();
  });
  const windows = [{ key: "campaign", count: 1, windowMs: 60_000 }];
  const asked = (id: string) => ({
    user: "ada",
    windows,
    wanted: 1,
    holdMs: 1000,
    whole: true,
    candidates: [{ id, windows: [0] }],
  });
  const lost = { code: "unavailable", details: { reason: "counts_lost" } };

  it("counts no cap on a server that was emptied, before anybody has looked", async () => {
    await counters.reserve(asked("a"));
    await redis.flushall();
    await expect(counters.reserve(asked("b"))).rejects.toMatchObject(lost);
    expect(await counters.countedThrough()).toBeUndefined();
  });

  it("ends no rebuild that was emptied in its middle, and lets the next one begin at once", async () => {
    await redis.flushall();
    expect(await counters.rebuild(async () => redis.flushall().then(() => 2))).toBe(false);
    expect(await counters.countedThrough()).toBeUndefined();
    expect(await counters.rebuild(async () => 3)).toBe(true);
    expect(await counters.countedThrough()).toBe(3);
  });

  it("knows a server that came back with an old copy of its memory, and one that restarts during a rebuild", async () => {
    await redis.save();
    await server.restart();
    await expect.poll(() => counters.ping().then(() => "back", String), { timeout: 30_000 }).toBe("back");
    await expect.poll(() => redis.exists("svc:caps:epoch"), { timeout: 30_000 }).toBe(1);
    await expect(counters.reserve(asked("b"))).rejects.toMatchObject(lost);
    expect(await counters.countedThrough()).toBeUndefined();
    const restarted = counters.rebuild(async () => {
      await redis.save();
      await server.restart();
      await expect.poll(() => counters.ping().then(() => "back", String), { timeout: 30_000 }).toBe("back");
      return 2;
    });
    expect(await restarted).toBe(false);
    expect(await counters.countedThrough()).toBeUndefined();
  });
}

function keys(): void {
  it("leaves nothing behind: every key has an end, and one user's keys share a hash slot", async () => {
    const server = await startRedisServer();
    const counters = await connectRedisCounters(server.url, PATIENT);
    const redis = new Redis(server.url);
    const windows = [1, 2, 3].map((n) => ({ key: `campaign:${n}`, count: 2, windowMs: n * 60_000 }));
    const candidates = [{ id: "a", windows: [0, 1, 2] }];
    const { reservedAtMs } = await counters.reserve({ user: "}odd{", windows, candidates, wanted: 1, holdMs: 1000 });
    await counters.confirm({ user: "}odd{", id: "a", reservedAtMs, windows });
    await counters.take("key", { perSecond: 0.01, burst: 5 });
    await counters.takeWindow("key", { count: 20, windowMs: 60_000 });
    const names = await redis.keys("*");
    expect(names).toHaveLength(5);
    for (const name of names) expect(await redis.pttl(name)).toBeGreaterThan(0);
    const tags = names.filter((name) => name.includes("cap:")).map((name) => /\{([^}]+)\}/.exec(name)?.[1]);
    expect(new Set(tags).size).toBe(1);
    expect(tags[0]).toBeTruthy();
    redis.disconnect();
    await counters.close();
    await server.close();
  });
}

function roundTrips(): void {
  it("asks Redis once for each request that is counted, allowed or not", async () => {
    const server = await startRedisServer();
    const counters = await connectRedisCounters(server.url, PATIENT);
    const redis = new Redis(server.url);
    await redis.config("RESETSTAT");
    for (let i = 0; i < 10; i++) {
      await counters.take("key", { perSecond: 0.01, burst: 5 });
      await counters.takeWindow("key", { count: 5, windowMs: 60_000 });
    }
    const stats = await redis.info("commandstats");
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe("20");
    expect(stats).not.toContain("cmdstat_eval:");
    redis.disconnect();
    await counters.close();
    await server.close();
  });
}

function passwords(): void {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer({ password: "the-right-one" });
  });
  afterAll(() => server.close());

  it.each([
    ["a wrong password", ":hunter2@", /rejected the user or the password \(WRONGPASS\); correct them in REDIS_URL/],
    ["no password", "", /requires a password \(NOAUTH\); set REDIS_URL/],
  ])("names the reason with %s, and puts no password into the log", async (_name, login, sentence) => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
    const url = server.url.replace("redis://", `redis://${login}`);
    const failure = await connectRedisCounters(url, { onError: (err) => log.warn({ err }, "Redis") }).catch(
      (cause: unknown) => cause,
    );
    expect(String(failure)).toMatch(sentence);
    log.fatal({ err: failure }, "start");
    const logged = lines.join("");
    expect(logged).toMatch(/WRONGPASS|NOAUTH/);
    expect(logged).not.toContain("hunter2");
    expect(logged).not.toContain('"command"');
  });

  it("works with the right password, and hides the arguments of a call that fails", async () => {
    const counters = await connectRedisCounters(server.url.replace("redis://", "redis://:the-right-one@"), PATIENT);
    const failure = await counters.take("user-42", { perSecond: 1, burst: 5 }).then(async () => {
      await server.kill();
      return counters.take("user-42", { perSecond: 1, burst: 5 }).catch((cause: unknown) => cause);
    });
    expect(failure).toMatchObject({ code: "unavailable" });
    expect((failure as Error).cause).toBeInstanceOf(Error);
    expect((failure as Error).cause).not.toHaveProperty("command");
    await counters.close();
  });
}
