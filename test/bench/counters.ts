import { cpus } from "node:os";
import { Redis } from "ioredis";
import type { Counters } from "../../server/engines/counters/counters";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { connectRedisCounters } from "../../server/engines/counters/redis-counters";
import { systemClock } from "../../server/kernel/clock";
import { hasRedisServer, startRedisServer } from "../contract/redis-server";

const RUN_MS = 3000;
const CALLERS = 50;
const USERS = 10_000;
const RATE = { perSecond: 1000, burst: 1000 };

/** Calls a second of both counters engines, beside the plainest command that Redis has. */
export async function run(print: (line: string) => void): Promise<void> {
  print(`counters: ${CALLERS} calls in flight from one Node ${process.version} process, ${RUN_MS / 1000} s a row,`);
  print(`${USERS.toLocaleString("en")} keys or users, ${cpus().length} cores (Redis runs beside the callers)`);
  print("");
  print("engine  | call                        |   calls/s |  p50 ms |  p99 ms | ratio to INCR");
  const memory = new MemoryCounters(systemClock);
  for (const [call, step] of steps(memory))
    print(row("memory", call, { figures: await measure(step), peer: undefined }));
  await memory.close();
  if (!hasRedisServer()) {
    print("redis   | not measured: redis-server is not installed");
    return;
  }
  const server = await startRedisServer();
  const plain = new Redis(server.url);
  const redis = await connectRedisCounters(server.url, { callTimeoutMs: 10_000 });
  const peer = await measure((i) => plain.incr(`plain:${i % USERS}`));
  print(row("redis", "peer: INCR", { figures: peer, peer }));
  for (const [call, step] of steps(redis)) print(row("redis", call, { figures: await measure(step), peer }));
  await redis.close();
  plain.disconnect();
  await server.close();
}

function steps(counters: Counters): [string, (i: number) => Promise<unknown>][] {
  const windows = ["campaign:1", "campaign:2", "advertiser:1", "channel:1"].map((key) => ({
    key,
    count: 5,
    windowMs: 86_400_000,
  }));
  const candidates = (i: number) => [0, 1].map((c) => ({ id: `offer-${i}-${c}`, windows: [c, 2, 3] }));
  return [
    ["take", (i) => counters.take(`key:${i % USERS}`, RATE)],
    ["takeWindow", (i) => counters.takeWindow(`key:${i % USERS}`, { count: 20, windowMs: 60_000 })],
    [
      "reserve, 4 windows, 2 offers",
      (i) =>
        counters.reserve({ user: `u${i % USERS}`, windows, candidates: candidates(i), wanted: 1, holdMs: 7_200_000 }),
    ],
    [
      "reserve + settle",
      async (i) => {
        const [user, id] = [`s${i % USERS}`, `offer-${i}`];
        const request = { user, windows, candidates: [{ id, windows: [0, 1, 2, 3] }], wanted: 1, holdMs: 7_200_000 };
        const { reservedAtMs } = await counters.reserve(request);
        await counters.confirm({ user, id, reservedAtMs, windows });
      },
    ],
  ];
}

interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
}

async function measure(step: (i: number) => Promise<unknown>): Promise<Figures> {
  const latencies: number[] = [];
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let now = performance.now(); now < start + RUN_MS; ) {
        const i = next++;
        await step(i);
        // Calls that never leave the loop would otherwise keep the other callers out.
        if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
        const end = performance.now();
        if (latencies.length < 2_000_000) latencies.push(end - now);
        now = end;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return { perSecond: next / seconds, p50: at(0.5), p99: at(0.99) };
}

function row(engine: string, call: string, { figures, peer }: { figures: Figures; peer: Figures | undefined }): string {
  const rate = Math.round(figures.perSecond).toLocaleString("en").padStart(9);
  const times = [figures.p50, figures.p99].map((ms) => ms.toFixed(3).padStart(7)).join(" | ");
  const ratio = peer ? (figures.perSecond / peer.perSecond).toFixed(2) : "";
  return `${engine.padEnd(7)} | ${call.padEnd(28)} | ${rate} | ${times} | ${ratio}`;
}
