import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Demo } from "../../server/ads/demo/open-demo";
import { peerFolder } from "./peer-package";
import { freePort, rowsOf, type Served, start } from "./processes";

const WARM_UP = 1000;
const ROUNDS = 10;
const REQUESTS_PER_ROUND = 200;
const STREAMS = 1000;
const WORDS = 20;
/** More than the bench sends. */
const REQUESTS_PER_MINUTE = 60_000_000;

type Print = (line: string) => void;

interface Target {
  what: string;
  url: string;
  headers: Record<string, string>;
}

/** Added latency of chat completions beside the same upstream asked directly and through Portkey's gateway, in turns. */
export async function run(print: Print): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-chat-"));
  const upstream = await start(["serve-chat"], {});
  const base = `http://127.0.0.1:${upstream.hello.port}/v1`;
  const portkey = await startPortkey();
  try {
    await withSvc(dir, base, async (svc, demo) => {
      const key = { authorization: `Bearer ${demo.api.live_key}` };
      const targets = [
        { what: "the upstream itself", url: base, headers: {} },
        { what: "svc", url: `${svc.url}/v1`, headers: key },
        { what: "Portkey", url: `${portkey.url}/v1`, headers: { ...PORTKEY, "x-portkey-custom-host": base } },
      ];
      await compare(print, targets);
      await compareStreams(print, targets.slice(0, 2));
      await manyStreams(print, targets.slice(0, 2));
    });
  } finally {
    portkey.child.kill("SIGKILL");
    upstream.child.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  }
}

const PORTKEY = { "x-portkey-provider": "openai", authorization: "Bearer sk-none" };

async function startPortkey(): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const program = path.join(await peerFolder("@portkey-ai/gateway"), "build/start-server.js");
  const child = spawn(process.execPath, [program, "--headless", `--port=${port}`], {
    env: { ...process.env, TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 100; i++) {
    if (await fetch(url).catch(() => undefined)) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Portkey's gateway did not start.");
}

async function withSvc(
  dir: string,
  base: string,
  use: (svc: Served & { url: string }, demo: Demo) => Promise<void>,
): Promise<void> {
  const file = path.join(dir, "upstreams.json");
  const models = [{ name: "m", input_price: "1", output_price: "1" }];
  await writeFile(file, JSON.stringify({ upstreams: [{ id: "double", base_url: base, models }] }));
  const port = await freePort();
  const env = { PORT: String(port), SVC_DATA_DIR: path.join(dir, "data"), LOG_LEVEL: "error", SVC_DEMO: "on" };
  const svc = await start(["serve-svc", "0"], { ...env, CHAT_UPSTREAMS: file });
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
  }
}

interface Timed {
  firstMs: number;
  totalMs: number;
  text: string;
}

interface Asked {
  stream: boolean;
  words: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

function ask({ url, headers }: Target, { stream, words }: Asked): Promise<Timed> {
  const body = JSON.stringify({
    model: "m",
    stream,
    max_tokens: words,
    messages: [{ role: "user", content: "Hello there, Ada." }],
  });
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const options = { method: "POST", agent, headers: { ...headers, "content-type": "application/json" } };
    const request = http.request(`${url}/chat/completions`, options, (response: IncomingMessage) => {
      const [chunks, begun]: [Buffer[], number[]] = [[], []];
      response.on("data", (chunk: Buffer) => {
        begun.push(performance.now() - startedMs);
        chunks.push(chunk);
      });
      response.on("error", reject).on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`));
        resolve({ firstMs: begun[0] ?? 0, totalMs: performance.now() - startedMs, text });
      });
    });
    request.setNoDelay(true);
    request.on("error", reject).end(body);
  });
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

/** One request after the other, the targets in turns, so that all of them see the same load of the machine. */
async function inTurns(targets: readonly Target[], stream: boolean): Promise<number[][]> {
  for (const target of targets) for (let i = 0; i < WARM_UP; i++) await ask(target, { stream, words: 1 });
  const times = targets.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, target] of targets.entries()) {
      for (let n = 0; n < REQUESTS_PER_ROUND; n++) {
        const { firstMs, totalMs } = await ask(target, { stream, words: 1 });
        times[i]?.push(stream ? firstMs : totalMs);
      }
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

async function compare(print: Print, targets: readonly Target[]): Promise<void> {
  print(`One request after the other, ${ROUNDS} rounds of ${REQUESTS_PER_ROUND} in turns, ${os.cpus().length} cores\n`);
  await table(print, "whole answer", { targets, stream: false });
}

async function compareStreams(print: Print, targets: readonly Target[]): Promise<void> {
  print("\nStreams (Portkey's answer 500 on Node 20 and 22)\n");
  await table(print, "first byte", { targets, stream: true });
}

async function table(print: Print, what: string, { targets, stream }: { targets: readonly Target[]; stream: boolean }) {
  print(`| ${what} | p50 ms | p99 ms | added p50 ms | added p99 ms |`);
  print("|---|---|---|---|---|");
  const [direct = [], ...others] = await inTurns(targets, stream);
  for (const [i, times] of [direct, ...others].entries()) {
    const added = (share: number) => (at(times, share) - at(direct, share)).toFixed(3);
    const [p50, p99] = [at(times, 0.5).toFixed(3), at(times, 0.99).toFixed(3)];
    print(`| ${targets[i]?.what} | ${p50} | ${p99} | ${added(0.5)} | ${added(0.99)} |`);
  }
}

async function manyStreams(print: Print, targets: readonly Target[]): Promise<void> {
  print(`\n${STREAMS} streams at once\n`);
  print("| what | seconds | whole | slowest first byte ms |");
  print("|---|---|---|---|");
  for (const target of targets) {
    const startedMs = performance.now();
    const all = await Promise.allSettled(
      Array.from({ length: STREAMS }, () => ask(target, { stream: true, words: WORDS })),
    );
    const done = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const whole = done.filter(({ text }) => text.endsWith("data: [DONE]\n\n")).length;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(2);
    print(`| ${target.what} | ${seconds} | ${whole} | ${Math.max(...done.map(({ firstMs }) => firstMs)).toFixed(0)} |`);
  }
}

const CHUNK = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const eventOf = (choices: unknown[], rest: object = {}) =>
  `data: ${JSON.stringify({ ...CHUNK, choices, ...rest })}\n\n`;

/** The upstream: answers at once with a fixed text, a word each 10 ms where a stream is asked for. */
export function serveChat(): void {
  const usage = { prompt_tokens: 9, completion_tokens: WORDS, total_tokens: 9 + WORDS };
  const message = { role: "assistant", content: "word ".repeat(WORDS) };
  const whole = JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    usage,
    choices: [{ index: 0, message, finish_reason: "stop" }],
  });
  const word = eventOf([{ index: 0, delta: { content: "word " }, finish_reason: null }]);
  const end = `${eventOf([{ index: 0, delta: {}, finish_reason: "stop" }])}${eventOf([], { usage })}data: [DONE]\n\n`;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { stream, max_tokens: words = WORDS } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (!stream) {
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(whole) });
      return response.end(whole);
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    let left = words;
    response.write(word);
    if (left === 1) return response.end(end);
    const timer = setInterval(() => {
      if (--left > 0) return response.write(word);
      clearInterval(timer);
      response.end(end);
    }, 10);
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
