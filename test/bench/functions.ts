import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readWorkerCode } from "../../server/cloud/compute/functions/function-code";
import { findWorkerd } from "../../server/engines/workerd/find-workerd";
import { processUsage } from "../../server/engines/workerd/process-usage";
import { Workerd } from "../../server/engines/workerd/workerd";
import { freePort } from "../factories/free-port";

const FUNCTIONS = 500;
const WARM_CALLS = 2000;
const CODE = "export default (payload) => ({ total: payload.prices.reduce((a, b) => a + b, 0) });";
const PAYLOAD = { prices: [40, 2] };

type Print = (line: string) => void;

/** Calls of functions as svc makes them, beside a plain workerd with one worker of the same code, in the same run. */
export async function run(print: Print): Promise<void> {
  print(`${os.cpus().length} cores shared by svc and workerd; one call after the other\n`);
  print("| what | p50 ms | p99 ms |");
  print("|---|---|---|");
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-functions-"));
  try {
    const peer = await plainWorkerd(dir, print);
    const ours = await loadedWorkers(path.join(dir, "workers"), print);
    print(`\nA warm call takes ${(ours.p50 / peer.p50).toFixed(1)} times as long as one of plain workerd.`);
    print(`The process of ${FUNCTIONS} functions has ${ours.residentMb} MB.`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function loadedWorkers(dir: string, print: Print) {
  const rootDir = process.cwd();
  const codeOf = await readWorkerCode(rootDir);
  const workerd = new Workerd({ rootDir, dir, log: { info: () => undefined, warn: () => undefined } });
  const body = JSON.stringify({ payload: PAYLOAD, context: { env: {} } });
  const call = (id: number) =>
    workerd.call({
      group: "bench",
      tenant: "bench",
      worker: `f${id}@1`,
      timeoutMs: 10_000,
      bodyBytesMax: 10_000,
      load: async () => codeOf({ code: `${CODE}\n// ${id}`, entry: "default" }),
      request: { method: "POST", path: "/", headers: {}, body },
    });
  const started = await timed(1, () => call(-1));
  row(print, "svc, first call of a project, which starts its process", started);
  row(print, `svc, first call of each of ${FUNCTIONS} functions`, await timed(FUNCTIONS, call));
  const residentMb = Math.round(await residentBytes(dir));
  const turns = await timed(FUNCTIONS, call);
  row(print, `svc, later calls of ${FUNCTIONS} functions in turn`, turns);
  const warm = await timed(WARM_CALLS, () => call(0));
  row(print, "svc, later calls of one function", warm);
  await workerd.close();
  return { p50: at(warm, 0.5), residentMb };
}

/** In MB, of the only child of this process that is workerd. */
async function residentBytes(dir: string): Promise<number> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, "utf8");
  const pids = children.trim().split(" ").map(Number);
  const sizes = pids.map((pid) => processUsage(pid)?.residentBytes ?? 0);
  if (sizes.length === 0) throw new Error(`no process of ${dir} runs`);
  return Math.max(...sizes) / 1e6;
}

async function plainWorkerd(dir: string, print: Print) {
  const found = await findWorkerd(process.cwd());
  if ("missing" in found) throw new Error(found.missing);
  const port = await freePort();
  const worker = `${CODE.replace("export default", "const run =")}
export default { fetch: async (request) => Response.json(run(await request.json())) };`;
  const config = path.join(dir, "plain.capnp");
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "main.js", esModule = ${JSON.stringify(worker)})],
    compatibilityDate = "2026-11-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);`,
  );
  const child = spawn(found.program, ["serve", config], { stdio: "ignore" });
  const agent = new http.Agent({ keepAlive: true });
  const call = () => post(agent, port);
  while (
    !(await call().then(
      () => true,
      () => false,
    ))
  )
    await sleep(20);
  const warm = await timed(WARM_CALLS, call);
  row(print, "plain workerd with one worker, by HTTP", warm);
  agent.destroy();
  child.kill("SIGKILL");
  return { p50: at(warm, 0.5) };
}

const post = (agent: http.Agent, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    http
      .request({ agent, port, host: "127.0.0.1", method: "POST" }, (response) => {
        response.resume().once("end", () => resolve());
      })
      .once("error", reject)
      .end(JSON.stringify(PAYLOAD));
  });

/** Milliseconds, in order of length. */
async function timed(count: number, call: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const from = performance.now();
    await call(index);
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;

const row = (print: Print, what: string, times: readonly number[]): void =>
  print(`| ${what} | ${at(times, 0.5).toFixed(1)} | ${at(times, 0.99).toFixed(1)} |`);
