import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { Demo } from "../../server/ads/demo/open-demo";
import { presignUrl } from "../../server/cloud/data/buckets/presign";
import { freePort, type Served, start } from "./processes";

const CONNECTIONS = 16;
/** The three servers take turns, so that what else the machine does meets all of them. */
const TURNS = 3;
const SECONDS = 3;
const BYTES = 1024 * 1024;
const BUCKET = "bench-storage";
const BIG_BYTES = 1024 ** 3;
const IDLE_MS = 5000;

type Print = (line: string) => void;

interface Round {
  /** The times of the answered requests, in milliseconds. */
  took: number[];
  seconds: number;
  /** What the process of the server needed, without its engines. */
  cpuMs: number;
  failures: number;
  /** How many different paths were used. */
  count: number;
}

/** Presigned PUT and GET of 1 MiB beside a raw Node file server, and 1 GiB in constant memory. */
export async function run(print: Print): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-"));
  const files = await start(["serve-files", dir], {});
  try {
    await withSvc(dir, async (svc, s3) => {
      print(
        `1 MiB, ${CONNECTIONS} connections, ${TURNS} turns of ${SECONDS} s, ${os.cpus().length} cores shared by both ends\n`,
      );
      print(
        "| what | MiB/s | of the synced file server | of the plain one | p50 ms | p99 ms | CPU ms of the server | failures |",
      );
      print("|---|---|---|---|---|---|---|---|");
      const servers = { plain: files, synced: files, svc };
      await compare(servers, s3, print);
      await big(svc, s3, print);
    });
  } finally {
    files.child.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  }
}

async function compare(servers: Record<Name, Served>, s3: Endpoint, print: Print): Promise<void> {
  const files = `http://127.0.0.1:${servers.plain.hello.port}`;
  const body = Buffer.alloc(BYTES, "1 MiB of text. ");
  const puts: Turn = {
    plain: (i) => `${files}/plain/${i}`,
    synced: (i) => `${files}/synced/${i}`,
    svc: (i) => s3.presigned("PUT", `small/${i}`),
  };
  await round("PUT", puts.svc, { body, seconds: 2 });
  const stored = await inTurns("PUT", puts, { body, servers });
  printRound(print, "PUT", stored);
  const among = (urlOf: (i: number) => string, name: keyof Turn) => (i: number) => urlOf(i % stored[name].count);
  const gets: Turn = {
    plain: among(puts.plain, "plain"),
    synced: among(puts.synced, "synced"),
    svc: among((i) => s3.presigned("GET", `small/${i}`), "svc"),
  };
  printRound(print, "GET", await inTurns("GET", gets, { servers }));
}

type Name = "plain" | "synced" | "svc";
type Turn = Record<Name, (i: number) => string>;

async function inTurns(
  method: "GET" | "PUT",
  turn: Turn,
  { body, servers }: { body?: Buffer; servers: Record<Name, Served> },
) {
  const rounds: Record<keyof Turn, Round[]> = { plain: [], synced: [], svc: [] };
  for (let i = 0; i < TURNS; i++) {
    for (const name of ["plain", "synced", "svc"] as const) {
      const before = cpuMsOf(servers[name]);
      const one = await round(method, turn[name], body ? { body } : {});
      rounds[name].push({ ...one, cpuMs: cpuMsOf(servers[name]) - before });
    }
  }
  const { plain, synced, svc } = rounds;
  return { plain: joined(plain), synced: joined(synced), svc: joined(svc) };
}

function joined(rounds: readonly Round[]): Round {
  const took = rounds.flatMap((one) => one.took).sort((a, b) => a - b);
  const sum = (of: (one: Round) => number) => rounds.reduce((total, one) => total + of(one), 0);
  return {
    took,
    seconds: sum(({ seconds }) => seconds),
    failures: sum(({ failures }) => failures),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    count: Math.min(...rounds.map(({ count }) => count)),
  };
}

function printRound(print: Print, what: string, rounds: Record<Name, Round>): void {
  const perSecond = ({ took, seconds }: Round) => took.length / seconds;
  const share = (one: Round, other: Round) => `${((100 * perSecond(one)) / perSecond(other)).toFixed(0)} %`;
  for (const [name, one] of Object.entries(rounds)) {
    const by = name === "svc" ? "svc, presigned" : `node:http and node:fs, ${name}`;
    const at = (part: number) => (one.took[Math.floor((one.took.length - 1) * part)] ?? 0).toFixed(1);
    print(
      `| ${what}, ${by} | ${perSecond(one).toFixed(0)} | ${share(one, rounds.synced)} | ${share(one, rounds.plain)} | ${at(0.5)} | ${at(0.99)} | ${(one.cpuMs / one.took.length).toFixed(1)} | ${one.failures} |`,
    );
  }
}

/** Each connection sends its next request when the last one is answered. */
async function round(
  method: "GET" | "PUT",
  urlOf: (i: number) => string,
  { body, seconds = SECONDS }: { body?: Buffer; seconds?: number },
): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const took: number[] = [];
  let [next, failures] = [0, 0];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const connection = async () => {
    while (performance.now() < end) {
      const sentAt = performance.now();
      const status = await send(agent, { method, url: urlOf(next++), ...(body && { body }) });
      if (status === 200) took.push(performance.now() - sentAt);
      else failures++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return { took, seconds: (performance.now() - startedAt) / 1000, cpuMs: 0, failures, count: Math.max(1, next) };
}

/** CPU time of a process on Linux; the 14th and 15th value of proc_pid_stat(5), in ticks of 10 ms. */
function cpuMsOf({ child }: Served): number {
  const values = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(values[11]) + Number(values[12])) * 10;
}

const send = (agent: Agent, { method, url, body }: { method: string; url: string; body?: Buffer }): Promise<number> =>
  new Promise((resolve) => {
    const headers = body ? { "content-length": body.length } : {};
    const sent = request(url, { method, agent, headers }, (response) => {
      response.on("data", () => undefined).on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0)).end(body);
  });

async function big(svc: Served, { client }: Endpoint, print: Print): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = svc.rssMb;
  let highest = idle;
  const watch = setInterval(() => {
    highest = Math.max(highest, svc.rssMb);
  }, 100);
  const params = { Bucket: BUCKET, Key: "big" };
  const upload = new Upload({ client, params: { ...params, Body: Readable.from(pieces()) }, partSize: 8 * BYTES });
  const uploaded = await secondsOf(() => upload.done());
  print(
    `\n1 GiB multipart upload in ${uploaded.toFixed(1)} s, resident set ${(highest - idle).toFixed(0)} MB above idle (${idle.toFixed(0)} MB)`,
  );
  highest = svc.rssMb;
  const Range = `bytes=1-${BIG_BYTES - 2}`;
  const downloaded = await secondsOf(async () => {
    const { Body } = await client.send(new GetObjectCommand({ ...params, Range }));
    for await (const _ of Body as Readable);
  });
  clearInterval(watch);
  print(
    `1 GiB range download in ${downloaded.toFixed(1)} s, resident set ${(highest - idle).toFixed(0)} MB above idle`,
  );
}

function* pieces(): Generator<Buffer> {
  for (let left = BIG_BYTES; left > 0; left -= BYTES) yield Buffer.alloc(BYTES, left & 255);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

interface Endpoint {
  client: S3Client;
  presigned: (method: "GET" | "PUT", key: string) => string;
}

async function withSvc(parent: string, use: (svc: Served, s3: Endpoint) => Promise<void>): Promise<void> {
  const port = await freePort();
  const settings = { PORT: String(port), SVC_DATA_DIR: path.join(parent, "svc"), LOG_LEVEL: "error", SVC_DEMO: "on" };
  const svc = await start(["serve-svc", "0"], settings);
  try {
    await use(svc, await endpointOf(`http://127.0.0.1:${port}`, svc.hello.demo as Demo));
  } finally {
    svc.child.send("stop");
    await new Promise((resolve) => svc.child.once("exit", resolve));
  }
}

async function endpointOf(url: string, demo: Demo): Promise<Endpoint> {
  const headers = { authorization: `Bearer ${demo.api.live_key}`, "content-type": "application/json" };
  const post = async (at: string, body: object) =>
    (await fetch(`${url}${at}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
  await post("/v1/storage/buckets", { name: BUCKET });
  const made = (await post("/v1/storage/credentials", {})) as { access_key_id: string; secret_access_key: string };
  const credential = { accessKeyId: made.access_key_id, secretAccessKey: made.secret_access_key };
  const endpoint = `${url}/v1/s3`;
  return {
    client: new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: credential }),
    presigned: (method, key) =>
      presignUrl({
        method,
        url: `${endpoint}/${BUCKET}/${key}`,
        credential,
        region: "us-east-1",
        at: new Date(),
        expiresSeconds: 3600,
      }),
  };
}
