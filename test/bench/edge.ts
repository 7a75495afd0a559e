import os from "node:os";
import type { EdgeFunction } from "../../server/cloud/edge/workers/edge-function";
import { hostClient } from "../factories/host-client";
import { withSvc } from "./platform";

const PUBLISHES = 50;
const REQUESTS = 2000;
const AT_ONCE = 16;

type Print = (line: string) => void;
type Call = (method: string, path: string, body: object) => Promise<EdgeFunction>;

/** From the request that publishes a version to the end of its first response, and later requests to the host. */
export async function run(print: Print): Promise<void> {
  await withSvc(async ({ url }, demo) => {
    const call: Call = async (method, path, body) => {
      const headers = { authorization: `Bearer ${demo.api.test_key}`, "content-type": "application/json" };
      const response = await fetch(`${url}/v1/edge/functions${path}`, { method, headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as EdgeFunction;
    };
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
  });
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
