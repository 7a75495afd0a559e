import { setMaxListeners } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Demo } from "../../server/ads/demo/open-demo";
import { programLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";
import { missingForWorkloads } from "../factories/workload-node";
import { measureCalls, type Taken } from "./noisy-calls";
import type { Tally } from "./noisy-client";
import { ATTACKS, type Hostility } from "./noisy-hostile";
import { neighbourCalls } from "./noisy-neighbour";
import type { BenchTenant } from "./noisy-tenants";
import { freePort, rowsOf, type Served, start } from "./processes";

const WARM_UP_MS = 5000;
const QUIET_MS = 20_000;
/** The hostile tenants begin so long before the calls that are measured. */
const HEAD_START_MS = 5000;
const HOSTILE_MS = 40_000;
const RATIO_MAX = 2;
const CREATIVES = "200";
/** So that each tenant has an address of its own: clients on the machine of svc have no share of what is counted by address. */
const BEHIND_PROXY = { TRUSTED_PROXIES: "127.0.0.1" };
/** More than anybody can send; only of the tenant that is measured. */
const REQUESTS_PER_MINUTE = 60_000_000;

type Print = (line: string) => void;

/**
 * What the calls of one tenant take while others are quiet, and while hostile tenants do all they may at once, each with
 * the default limits. SVC_BENCH_HOSTILE: their numbers, with commas (default all).
 */
export async function run(print: Print): Promise<void> {
  const chosen = process.env.SVC_BENCH_HOSTILE?.split(",");
  const attacks = ATTACKS.filter(({ id }) => !chosen || chosen.includes(id));
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => interrupted.abort(new Error(`${name}: the bench ended early`)));
  const { signal } = interrupted;
  // Each open call listens.
  setMaxListeners(0, signal);
  print(
    `${QUIET_MS / 1000} s quiet, ${HOSTILE_MS / 1000} s hostile, ${os.cpus().length} cores shared by svc, its engines, pods and both ends, Node ${process.version}, load average ${os.loadavg()[0]?.toFixed(1)};`,
  );
  print(
    `hostile tenants have the default limits, and their clients the lowest priority; a call of the other that failed counts as 30 s\n`,
  );
  await withScene(async (scene) => {
    const calls = await neighbourCalls(scene);
    await measureCalls(calls, { ms: WARM_UP_MS, signal });
    const quiet = await measureCalls(calls, { ms: QUIET_MS, signal });
    const tenants: Record<string, BenchTenant> = {};
    for (const { id, projects = 1 } of attacks) {
      const [row] = await rowsOf(scene.svc, "tenant", `${projects}`);
      tenants[id] = row as unknown as BenchTenant;
    }
    const { url, image, hostile } = scene;
    hostile.child.send({ url, runsPods: image !== undefined, tenants } satisfies Hostility);
    await sleep(HEAD_START_MS, undefined, { signal });
    const loaded = await measureCalls(calls, { ms: HOSTILE_MS, signal });
    signal.throwIfAborted();
    printNeighbour(print, quiet, loaded);
    printHostile(print, await talliesOf(hostile));
    print(`\nsvc has ${scene.svc.rssMb.toFixed(0)} MB resident at the end`);
  });
}

interface Scene {
  svc: Served;
  hostile: Served;
  url: string;
  demo: Demo;
  image: string | undefined;
}

/** Everything that it starts is ended when `use` ends, also by an interruption. */
async function withScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-noisy-"));
  const port = await freePort();
  const layer = missingForWorkloads() ?? (await programLayer(["sh", "sleep"]));
  const registry = await startRegistryDouble();
  const image =
    typeof layer === "string"
      ? undefined
      : registry.add("shell", { layers: [layer], config: { Env: ["PATH=/bin"] } }).reference;
  const settings = { PORT: String(port), SVC_DATA_DIR: dir, LOG_LEVEL: "error", SVC_DEMO: "on", ...BEHIND_PROXY };
  const runtime = image === undefined ? "off" : "namespaces";
  const started: Served[] = [];
  try {
    const svc = await start(["serve-svc", CREATIVES], { ...settings, RUNTIME: runtime });
    started.push(svc);
    const hostile = await start(["serve-hostile"], {});
    started.push(hostile);
    const demo = svc.hello.demo as Demo;
    await rowsOf(
      svc,
      "postgres",
      `INSERT INTO quotas (tenant_id, resource, "limit", set_at)
       VALUES ('${demo.api.tenant_id}', 'requests_per_minute', ${REQUESTS_PER_MINUTE}, now()) RETURNING resource`,
    );
    await use({ svc, hostile, url: `http://127.0.0.1:${port}`, demo, image });
  } finally {
    const [svc, hostile] = started;
    hostile?.child.kill("SIGKILL");
    if (svc) await stop(svc);
    await registry.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function stop(svc: Served): Promise<void> {
  if (svc.child.exitCode !== null) return;
  const ended = new Promise((resolve) => svc.child.once("exit", resolve));
  await Promise.race([rowsOf(svc, "no-pods"), ended]);
  if (svc.child.connected) svc.child.send("stop");
  await ended;
}

async function talliesOf({ child }: Served): Promise<Record<string, Tally>> {
  const tallies = new Promise<Record<string, Tally>>((resolve) => {
    child.on("message", (message: { tallies?: Record<string, Tally> }) => {
      if (message.tallies) resolve(message.tallies);
    });
    child.once("exit", () => resolve({}));
  });
  child.send("stop");
  return tallies;
}

function printNeighbour(print: Print, quiet: Map<string, Taken>, hostile: Map<string, Taken>): void {
  print("| what | quiet p50 ms | p99 ms | hostile p50 ms | p99 ms | ratio of p99 | within 2x | calls | errors |");
  print("|---|---|---|---|---|---|---|---|---|");
  for (const [what, before] of quiet) {
    const after = hostile.get(what) ?? { times: [], errors: {} };
    const ratio = at(after, 0.99) / at(before, 0.99);
    const cells = [before, after].flatMap((taken) => [at(taken, 0.5).toFixed(1), at(taken, 0.99).toFixed(1)]);
    const calls = `${before.times.length} + ${after.times.length}`;
    const errors = [before, after].map(({ errors }) => textOf(errors)).join(" + ");
    print(
      `| ${what} | ${cells.join(" | ")} | ${ratio.toFixed(2)} | ${ratio <= RATIO_MAX ? "yes" : "no"} | ${calls} | ${errors} |`,
    );
  }
}

function printHostile(print: Print, tallies: Record<string, Tally>): void {
  print("\n| hostile tenant | answers |");
  print("|---|---|");
  for (const { id, label } of ATTACKS) {
    const tally = tallies[id];
    if (tally) print(`| ${id}. ${label} | ${textOf(tally)} |`);
  }
}

const textOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${what} × ${count}`)
    .join(", ") || "0";

const at = ({ times }: Taken, share: number): number => times[Math.ceil(share * times.length) - 1] ?? Number.NaN;
