import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Demo } from "../../server/ads/demo/open-demo";
import { load, type Outcome, pacedLoad } from "./load";
import { BROWSER, freePort, start } from "./processes";
import { seededRandom } from "./seeded-random";
import { titleOf } from "./titles";

const CREATIVES = 20_000;
const CONNECTIONS = 64;
const SECONDS = 8;
const PACED_PER_SECOND = [250, 500, 1000];
const CLICKS = 40_000;
const COLLECT_CONCURRENCY = 64;
const JSON_TYPE = { "content-type": "application/json" };

/** Offers and clicks over HTTP, every answer durable, beside a bare node:http server in the same run. */
export async function run(print: (line: string) => void): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-"));
  const port = await freePort();
  const bare = await start(["serve-bare"], {});
  const svc = await start(["serve-svc", String(CREATIVES)], {
    PORT: String(port),
    SVC_DATA_DIR: dir,
    LOG_LEVEL: "error",
    SVC_DEMO: "on",
  });
  try {
    const demo = svc.hello.demo as Demo;
    const url = `http://127.0.0.1:${port}`;
    const headers = { ...JSON_TYPE, "x-svc-api-key": demo.channel.server_key };
    print(
      `${CREATIVES} creatives, ${CONNECTIONS} connections, ${SECONDS} s a row, ${os.cpus().length} cores shared by server, engines and generator\n`,
    );
    print("| what | requests/s | of bare | p50 ms | p99 ms | failures | generator's CPU |");
    print("|---|---|---|---|---|---|---|");
    const body = JSON.stringify({ query: "red jacket" });
    await load({ url: `http://127.0.0.1:${bare.hello.port}`, seconds: 2, connections: CONNECTIONS, headers, body });
    const peer = await load({
      url: `http://127.0.0.1:${bare.hello.port}`,
      seconds: SECONDS,
      connections: CONNECTIONS,
      headers,
      body,
    });
    print(row("bare node:http, POST", peer, peer));
    const peerGet = await load({
      url: `http://127.0.0.1:${bare.hello.port}`,
      seconds: SECONDS,
      connections: CONNECTIONS,
      method: "GET",
    });
    print(row("bare node:http, GET", peerGet, peerGet));
    let n = 0;
    const next = () => ({ path: "/api/v1/offers", body: JSON.stringify({ query: titleOf(n++ * 31) }) });
    const offers = { url, connections: CONNECTIONS, headers, next };
    await load({ ...offers, seconds: 3 });
    print(row("POST /api/v1/offers", await load({ ...offers, seconds: SECONDS }), peer));
    const random = seededRandom(1);
    const repeated = () => ({ path: "/api/v1/offers", body: JSON.stringify({ query: titleOf(zipfRank(random())) }) });
    print(row("the same, queries repeat (Zipf)", await load({ ...offers, next: repeated, seconds: SECONDS }), peer));
    const shares: string[] = [];
    for (const perSecond of PACED_PER_SECOND) {
      const before = await durations(url);
      const paced = await pacedLoad({ ...offers, seconds: SECONDS, perSecond });
      print(row(`the same paced at ${perSecond}/s`, paced, peer));
      shares.push(`${perSecond}/s ${inTheServer(before, await durations(url))}`);
    }
    print(`\nin the server while paced: ${shares.join("; ")}\n`);
    await clicks({ url, headers, peer: peerGet, print });
    print(`\nserver process: ${svc.rssMb.toFixed(0)} MB resident after the run, without Next's pages`);
  } finally {
    bare.child.kill("SIGKILL");
    svc.child.send("stop");
    await new Promise((resolve) => svc.child.once("exit", resolve));
    await rm(dir, { recursive: true, force: true });
  }
}

/** The rank of a title whose frequency is inversely proportional to it (Zipf), for a uniform `u` in [0, 1). */
const zipfRank = (u: number): number => Math.floor(Math.exp(u * Math.log(CREATIVES))) - 1;

interface Clicks {
  url: string;
  headers: Record<string, string>;
  peer: Outcome;
  print: (line: string) => void;
}

async function clicks({ url, headers, peer, print }: Clicks): Promise<void> {
  const ids = await collectOffers(url, headers);
  let n = 0;
  const seconds = Math.max(2, Math.floor(SECONDS / 2));
  const click = { url, connections: CONNECTIONS, method: "GET" as const, headers: BROWSER };
  const first = await load({ ...click, seconds, next: () => ({ path: `/api/v1/clicks/${ids[n++ % ids.length]}` }) });
  print("| what | requests/s | of bare | p50 ms | p99 ms | failures | generator's CPU |");
  print("|---|---|---|---|---|---|---|");
  print(row(`first clicks (${Math.min(n, ids.length)} of ${ids.length} offers)`, first, peer));
  if (n > ids.length) print(`(${n - ids.length} of them were repeats: too few offers for ${seconds} s)`);
  const repeated = ids.slice(0, 1000);
  const repeats = await load({
    ...click,
    seconds: SECONDS,
    next: () => ({ path: `/api/v1/clicks/${repeated[n++ % repeated.length]}` }),
  });
  print(row("repeated clicks", repeats, peer));
}

async function collectOffers(url: string, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  let n = 0;
  const worker = async () => {
    while (ids.length < CLICKS) {
      const body = JSON.stringify({ query: titleOf(n++ * 17), limit: 8 });
      const answer = await fetch(`${url}/api/v1/offers`, { method: "POST", headers, body });
      const { offers } = (await answer.json()) as { offers: { id: string }[] };
      ids.push(...offers.map(({ id }) => id));
    }
  };
  await Promise.all(Array.from({ length: COLLECT_CONCURRENCY }, worker));
  return ids;
}

const row = (what: string, outcome: Outcome, peer: Outcome): string =>
  `| ${what} | ${Math.round(outcome.perSecond)} | ${((100 * outcome.perSecond) / peer.perSecond).toFixed(1)} % | ${outcome.p50Ms} | ${outcome.p99Ms} | ${outcome.failures} | ${(100 * outcome.generatorShare).toFixed(0)} % of a core |`;

type Buckets = Map<number, number>;

/** The cumulative buckets of the offers API's duration histogram. */
async function durations(url: string): Promise<Buckets> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const buckets: Buckets = new Map();
  for (const [, le, count] of text.matchAll(
    /svc_http_request_duration_seconds_bucket\{le="([^"]+)",api="offers"\} (\d+)/g,
  )) {
    buckets.set(le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), Number(count));
  }
  return buckets;
}

function inTheServer(before: Buckets, after: Buckets): string {
  const delta = [...after].map(([le, count]) => [le, count - (before.get(le) ?? 0)] as const);
  const total = delta.at(-1)?.[1] ?? 0;
  const p99 = delta.find(([, count]) => count >= total * 0.99)?.[0];
  const share = (delta.find(([le]) => le === 0.015)?.[1] ?? 0) / total;
  return `${(100 * share).toFixed(2)} % within 15 ms, p99 at most ${((p99 ?? Number.NaN) * 1000).toFixed(0)} ms`;
}
