import { Redis } from "ioredis";
import type { Counters } from "../../server/engines/counters/counters";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { connectRedisCounters } from "../../server/engines/counters/redis-counters";
import { createKeyAuthentication } from "../../server/identity/api-keys/authenticate-api-key";
import { systemClock } from "../../server/kernel/clock";
import { rateOf } from "../../server/operation/request-rates";
import type { RunningServer } from "../../server/start-server";
import { hasRedisServer, startRedisServer } from "../contract/redis-server";

const CALLS = 100_000;
/** Each waits for a round trip. */
const REDIS_CALLS = 20_000;
const KEYS = 1000;
const RATE = rateOf(60_000_000);
const REQUEST = { requestId: "req_bench", address: "127.0.0.1", userAgent: "bench" };

export interface StepTimes {
  [column: string]: unknown;
  what: string;
  perSecond: number;
  p50Us: number;
  p99Us: number;
}

/** Times the parts of the pipeline alone, inside a served svc. */
export async function timePlatformSteps({ app }: RunningServer, key: string): Promise<StepTimes[]> {
  const keys = await createKeyAuthentication(app.account);
  const memory = new MemoryCounters(systemClock);
  const rows = [
    await time("key check, remembered", () => keys.authenticate(key, REQUEST)),
    ...(await timeLimiter("in process", memory, CALLS)),
    ...(hasRedisServer() ? await timeOnRedis() : []),
  ];
  await keys.close();
  await memory.close();
  return rows;
}

async function timeLimiter(where: string, counters: Counters, calls: number): Promise<StepTimes[]> {
  const window = { count: 20, windowMs: 60_000 };
  return [
    await time(`limiter, ${where}`, (i) => counters.take(`api:key:${i % KEYS}`, RATE), calls),
    await time(`limiter, bulk window, ${where}`, (i) => counters.takeWindow(`api:bulk:key:${i % KEYS}`, window), calls),
  ];
}

/** Beside the plainest command, which is one round trip. */
async function timeOnRedis(): Promise<StepTimes[]> {
  const server = await startRedisServer();
  const plain = new Redis(server.url);
  const counters = await connectRedisCounters(server.url);
  const rows = [
    await time("peer: INCR on Redis", (i) => plain.incr(`plain:${i % KEYS}`), REDIS_CALLS),
    ...(await timeLimiter("on Redis", counters, REDIS_CALLS)),
  ];
  await counters.close();
  plain.disconnect();
  await server.close();
  return rows;
}

/** One call after the other, each timed by itself. */
async function time(what: string, step: (i: number) => Promise<unknown>, calls = CALLS): Promise<StepTimes> {
  const took = new Float64Array(calls);
  for (let i = 0; i < 1000; i++) await step(i);
  const startedAt = performance.now();
  for (let i = 0; i < calls; i++) {
    const before = performance.now();
    await step(i);
    took[i] = performance.now() - before;
  }
  const perSecond = (calls * 1000) / (performance.now() - startedAt);
  took.sort();
  const at = (share: number) => 1000 * (took[Math.floor(calls * share)] ?? Number.NaN);
  return { what, perSecond, p50Us: at(0.5), p99Us: at(0.99) };
}
