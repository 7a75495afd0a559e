import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { NamespacesRuntime } from "../../server/engines/runtime/namespaces/namespaces-runtime";
import { openNamespacesRuntime } from "../../server/engines/runtime/namespaces/open-namespaces-runtime";
import { systemClock } from "../../server/kernel/clock";
import { shellLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";

const log = pino();
const CACHE_BYTES = 1024 ** 3;
const CONFIG = { Env: ["PATH=/bin"], Entrypoint: ["/bin/sh", "-c"], Cmd: ["exit 0"] };

/**
 * How long a small image takes from `ensure` until its process runs, with its layer on the node and without, from a
 * registry on loopback. SVC_BENCH_STARTS: of each kind (default 100).
 */
export async function run(print: (line: string) => void): Promise<void> {
  const starts = Number(process.env.SVC_BENCH_STARTS ?? 100);
  const layer = await shellLayer();
  if (typeof layer === "string") return print(`not measured: ${layer}`);
  const dir = await mkdtemp(path.join(tmpdir(), "svc-bench-pods-"));
  const registry = await startRegistryDouble();
  const runtime = await openNamespacesRuntime({
    rootDir: process.cwd(),
    dir,
    clock: systemClock,
    cacheBytesMax: CACHE_BYTES,
    policy: { allowsLoopback: true, ownHosts: [] },
    onWarning: (sentence) => log.warn(sentence),
  });
  const { reference } = registry.add("shell", { layers: [layer], config: CONFIG });
  print(`${starts} starts of each, one after another, ${cpus().length} cores, Node ${process.version};`);
  print(`an image of ${(layer.bytes.length / 1e6).toFixed(1)} MB from a registry on loopback\n`);
  print("            p50        p99        pulled");
  try {
    const { signal } = new AbortController();
    for (const kind of ["cold", "warm"] as const) {
      if (kind === "warm") await runtime.prefetch(reference, { bytesMax: CACHE_BYTES, signal });
      print(await row(runtime, { kind, starts, reference }));
    }
  } finally {
    for (const id of await runtime.list()) await runtime.remove(id);
    await runtime.close();
    await registry.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Starts {
  kind: "cold" | "warm";
  starts: number;
  reference: string;
}

async function row(runtime: NamespacesRuntime, { kind, starts, reference }: Starts): Promise<string> {
  const { cache } = runtime.parts.pull;
  const times: number[] = [];
  let pulled = 0;
  for (let i = 0; i < starts; i++) {
    const id = `${kind}-${i}`;
    const begin = performance.now();
    const { pulledBytes } = await runtime.ensure({ id, image: { reference }, network: "none" });
    times.push(performance.now() - begin);
    if (pulledBytes !== 0) pulled++;
    await runtime.remove(id);
    if (kind === "cold") await empty(cache.parts.dir);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => `${Math.round(times[Math.ceil(share * starts) - 1] ?? 0)} ms`.padEnd(10);
  return `${kind.padEnd(12)}${at(0.5)} ${at(0.99)} ${pulled} of ${starts}`;
}

/** As a node that has lost its images. */
async function empty(dir: string): Promise<void> {
  await rm(dir, { recursive: true });
  await mkdir(dir);
}
