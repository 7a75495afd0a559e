import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Demo } from "../../server/ads/demo/open-demo";
import { load, type Outcome } from "./load";
import { freePort, rowsOf, type Served, start } from "./processes";

const CONNECTIONS = 16;
const SECONDS = 8;
/** More than anybody can send, so that the limiter counts each request and refuses none. */
const REQUESTS_PER_MINUTE = 60_000_000;

type Print = (line: string) => void;

/** `GET /v1/tenants/me` through the whole pipeline over HTTP, beside a bare node:http server in the same run. */
export async function run(print: Print): Promise<void> {
  print(
    `${CONNECTIONS} connections, ${SECONDS} s a row, limiter on, ${os.cpus().length} cores shared by server, engines and generator (autocannon)\n`,
  );
  print("| what | requests/s | of bare | p50 ms | p99 ms | failures | generator's CPU |");
  print("|---|---|---|---|---|---|---|");
  const bare = await start(["serve-bare"], {});
  const bareUrl = `http://127.0.0.1:${bare.hello.port}`;
  const get = { connections: CONNECTIONS, method: "GET" as const };
  await load({ ...get, url: bareUrl, seconds: 2 });
  const peer = await load({ ...get, url: bareUrl, seconds: SECONDS });
  print(row("bare node:http, GET", peer, peer));
  await withSvc(async (svc, demo) => {
    const headers = { authorization: `Bearer ${demo.api.live_key}` };
    const me = { ...get, url: `${svc.url}/v1/tenants/me`, headers };
    await load({ ...me, seconds: 3 });
    print(row("GET /v1/tenants/me", await load({ ...me, seconds: SECONDS }), peer));
    const missing = { ...me, url: `${svc.url}/v1/nothing` };
    print(row("a path that is none", await load({ ...missing, seconds: 4 }), peer));
    await steps(svc, demo, print);
  });
  bare.child.kill("SIGKILL");
}

export async function withSvc(use: (svc: Served & { url: string }, demo: Demo) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-"));
  const port = await freePort();
  const settings = { PORT: String(port), SVC_DATA_DIR: dir, LOG_LEVEL: "error", SVC_DEMO: "on" };
  const svc = await start(["serve-svc", "0"], settings);
  try {
    const demo = svc.hello.demo as Demo;
    await rowsOf(
      svc,
      "postgres",
      `INSERT INTO quotas (tenant_id, resource, "limit", set_at)
       VALUES ('${demo.api.tenant_id}', 'requests_per_minute', ${REQUESTS_PER_MINUTE}, now()) RETURNING resource`,
    );
    await use(Object.assign(svc, { url: `http://127.0.0.1:${port}` }), demo);
  } finally {
    svc.child.send("stop");
    await new Promise((resolve) => svc.child.once("exit", resolve));
    await rm(dir, { recursive: true, force: true });
  }
}

async function steps(svc: Served, demo: Demo, print: Print): Promise<void> {
  print("\n| part alone, one call after the other | calls/s | p50 µs | p99 µs |");
  print("|---|---|---|---|");
  for (const { what, perSecond, p50Us, p99Us } of await rowsOf(svc, "platform", demo.api.live_key)) {
    print(`| ${what} | ${Math.round(Number(perSecond))} | ${Number(p50Us).toFixed(1)} | ${Number(p99Us).toFixed(1)} |`);
  }
}

const row = (what: string, outcome: Outcome, peer: Outcome): string =>
  `| ${what} | ${Math.round(outcome.perSecond)} | ${((100 * outcome.perSecond) / peer.perSecond).toFixed(1)} % | ${outcome.p50Ms} | ${outcome.p99Ms} | ${outcome.failures} | ${(100 * outcome.generatorShare).toFixed(0)} % of a core |`;
