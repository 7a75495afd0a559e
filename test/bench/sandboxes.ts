import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ownLimits } from "../../server/engines/runtime/docker/container-spec";
import { shellLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";
import { withSvc } from "./platform";

const COMMAND = ["/bin/sh", "-c", "echo 42"];
const PEER_IMAGE = "localhost/shell";
const CONFIG = { Env: ["PATH=/bin"], Entrypoint: ["/bin/sh", "-c"], Cmd: ["exit 0"] };
/** Where cgroups are hybrid, crun wants the empty hierarchy of version 2 unmounted. */
const PODMAN = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman --root "$0/root" --runroot "$0/runroot" "$@"';

/**
 * How long it takes from the request for a sandbox with a command, whose image is on the node, to the response with
 * its result; beside `podman run --rm` of the same image. SVC_BENCH_STARTS: of each (default 50).
 */
export async function run(print: (line: string) => void): Promise<void> {
  const starts = Number(process.env.SVC_BENCH_STARTS ?? 50);
  const layer = await shellLayer();
  if (typeof layer === "string") return print(`not measured: ${layer}`);
  const registry = await startRegistryDouble();
  const { reference: image } = registry.add("shell", { layers: [layer], config: CONFIG });
  print(`${starts} of each, one after another, ${os.cpus().length} cores, Node ${process.version};`);
  print(`an image of ${(layer.bytes.length / 1e6).toFixed(1)} MB from a registry on loopback\n`);
  print("| what | p50 ms | p90 ms | p99 ms |");
  print("|---|---|---|---|");
  try {
    let ours = 0;
    await withSvc(async ({ url }, demo) => {
      ours = await row(print, { what: "svc, POST /v1/sandboxes to its result", starts }, () =>
        sandboxOf(url, { key: demo.api.test_key, image }),
      );
    });
    const peer = await podmanRow(print, { layer, starts });
    if (typeof peer === "number") print(`\nsvc takes ${(ours / peer).toFixed(2)} times as long as podman run.`);
    else print(`\nWithout podman beside it: ${peer}`);
  } finally {
    await registry.stop();
  }
}

async function sandboxOf(url: string, { key, image }: { key: string; image: string }): Promise<void> {
  const response = await fetch(`${url}/v1/sandboxes`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ image, command: COMMAND }),
  });
  const text = await response.text();
  if ((JSON.parse(text) as { stdout?: string }).stdout !== "42\n") throw new Error(text);
}

async function podmanRow(
  print: (line: string) => void,
  { layer, starts }: { layer: { bytes: Buffer }; starts: number },
): Promise<number | string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-podman-"));
  const podman = (...args: string[]) =>
    promisify(execFile)("unshare", ["--mount", "--propagation", "private", "sh", "-c", PODMAN, dir, ...args]);
  const options = ["--rm", "--network=none", "--memory=512m", "--cpus=1", ...(await ulimits())];
  try {
    const file = path.join(dir, "layer.tar.gz");
    await writeFile(file, layer.bytes);
    await podman("import", "--change", "ENV=PATH=/bin", file, PEER_IMAGE);
    return await row(print, { what: "podman run --rm", starts }, async () => {
      await podman("run", ...options, PEER_IMAGE, ...COMMAND);
    });
  } catch (cause) {
    return cause instanceof Error ? (cause.message.split("\n").at(-2) ?? cause.message) : String(cause);
  } finally {
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** An engine that may not raise limits accepts those of this process. */
async function ulimits(): Promise<string[]> {
  const { nofile, nproc } = await ownLimits();
  return [`--ulimit=nofile=${nofile}:${nofile}`, `--ulimit=nproc=${nproc}:${nproc}`];
}

/** Returns the median in milliseconds; two more begin before it counts. */
async function row(
  print: (line: string) => void,
  { what, starts }: { what: string; starts: number },
  once: () => Promise<void>,
): Promise<number> {
  const times: number[] = [];
  for (let i = -2; i < starts; i++) {
    const begin = performance.now();
    await once();
    if (i >= 0) times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(share * starts) - 1] ?? 0;
  print(`| ${what} | ${[0.5, 0.9, 0.99].map((share) => Math.round(at(share))).join(" | ")} |`);
  return at(0.5);
}
