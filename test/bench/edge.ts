import os from "node:os";
import type { EdgeFunction } from "../../server/cloud/edge/workers/edge-function";
import { hostClient } from "../factories/host-client";
import { load } from "./load";
import { withSvc } from "./platform";
import { countProcesses, figuresOf } from "./process-figures";

const PUBLISHES = 50;
const REQUESTS = 2000;
const AT_ONCE = 16;
/** A host alone gets 1,000 requests per second. */
const REDIRECTS = 40;
const SECONDS = 8;

type Print = (line: string) => void;
type Send = <T>(method: string, path: string, body: object) => Promise<T>;
type Call = (method: string, path: string, body: object) => Promise<EdgeFunction>;

/**
 * From the request that publishes a version to the end of its first response, and later requests to the host; then
 * redirects.
 */
export async function run(print: Print): Promise<void> {
  await withSvc(async ({ url, child }, demo) => {
    const send: Send = async (method, path, body) => {
      const headers = { authorization: `Bearer ${demo.api.test_key}`, "content-type": "application/json" };
      const response = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(await response.text());
      return await response.json();
    };
    const call: Call = (method, path, body) => send(method, `/edge/functions${path}`, body);
    const hosts = hostClient(new URL(url).port);
    print(`${os.cpus().length} cores shared by the client, svc, PostgreSQL and workerd\n`);
    print("| what | p50 ms | p99 ms |");
    print("|---|---|---|");
    const { id, url: host } = await call("POST", "", { name: "bench", code: codeOf(0) });
    if (host === null) throw new Error("edge functions have no domain");
    await publish(print, call, { id, ask: async () => (await hosts.ask(host)).body });
    await request(print, async () => {
      const { status } = await hosts.ask(host);
      if (status !== 200) throw new Error(`a request ended with ${status}`);
    });
    hosts.close();
    await redirects(print, { send, url, pid: child.pid ?? 0 });
  });
}

/** Creations to `ready`, and requests to all of their hosts. */
async function redirects(print: Print, { send, url, pid }: { send: Send; url: string; pid: number }): Promise<void> {
  await send("POST", "/activations", { plane: "edge", service: "cdn", plan_tier: "enterprise" });
  const [hosts, created]: [string[], number[]] = [[], []];
  for (let n = 0; n < REDIRECTS; n++) {
    const spec = { target: "https://new.example/docs" };
    const body = { plane: "edge", service: "cdn", kind: "redirect", name: `old-${n}`, spec };
    const create = async () => {
      const { state, endpoints } = await send<Redirect>("POST", "/resources", body);
      if (state !== "ready") throw new Error(`a redirect is ${state}`);
      hosts.push(new URL(endpoints[0]?.url ?? "").host);
    };
    created.push(await timed(create));
  }
  row(print, "create a redirect, to ready", created);
  let asked = 0;
  const next = () => ({ path: "/a?b=1", headers: { host: hosts[asked++ % REDIRECTS] ?? "" } });
  const all = { url, connections: AT_ONCE, method: "GET" as const, next };
  await load({ ...all, seconds: 2 });
  const before = countProcesses(pid);
  const { perSecond, p50Ms, p99Ms, failures } = await load({ ...all, seconds: SECONDS });
  const figures = figuresOf(before, countProcesses(pid), SECONDS);
  const microsOf = (part: "Node" | "PostgreSQL") => Math.round((figures[part].cpuPercent * 10_000) / perSecond);
  const cpu = `CPU µs per request: svc ${microsOf("Node")}, PostgreSQL ${microsOf("PostgreSQL")}`;
  print(
    `| requests to redirects, ${AT_ONCE} at once: ${Math.round(perSecond)}/s, ${failures} failed; ${cpu} | ${p50Ms} | ${p99Ms} |`,
  );
}

interface Redirect {
  state: string;
  endpoints: { url: string }[];
}

async function publish(print: Print, call: Call, { id, ask }: { id: string; ask: () => Promise<string> }) {
  const [stored, published]: [number[], number[]] = [[], []];
  for (let version = 1; version <= PUBLISHES; version++) {
    stored.push(await timed(() => call("PATCH", `/${id}`, { code: codeOf(version) })));
    const first = async () => {
      await call("POST", `/${id}/publish`, {});
      const body = await ask();
      if (body !== String(version)) throw new Error(`version ${version} was published, and ${body} responded`);
    };
    published.push(await timed(first));
  }
  row(print, "store a draft, which is loaded and tried", stored);
  row(print, "publish it, to the end of its first response", published);
}

async function request(print: Print, ask: () => Promise<void>) {
  const alone: number[] = [];
  for (let i = 0; i < REQUESTS; i++) alone.push(await timed(ask));
  row(print, "later requests, one after the other", alone);
  const together: number[] = [];
  const from = performance.now();
  const client = async () => {
    while (together.length < REQUESTS) together.push(await timed(ask));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const perSecond = Math.round((together.length / (performance.now() - from)) * 1000);
  row(print, `later requests, ${AT_ONCE} at once: ${perSecond}/s`, together);
}

const codeOf = (version: number) => `export default { fetch: () => new Response("${version}") };`;

async function timed(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

function row(print: Print, what: string, times: number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  print(`| ${what} | ${at(0.5).toFixed(1)} | ${at(0.99).toFixed(1)} |`);
}
