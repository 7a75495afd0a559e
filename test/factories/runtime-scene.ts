import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import type { Allocation, Exited, LocalRuntime, Observation, Runtime } from "../../server/engines/runtime/runtime";
import { type RuntimeSettings, startRuntime } from "../../server/engines/start-runtime";
import { shellLayer } from "./image-layers";
import { INTERNET } from "./internet-double";
import { startRegistryDouble } from "./registry-double";
import { waitFor } from "./wait-for";
import { missingForWorkloads } from "./workload-node";

/** Registries on loopback, as a developer's machine allows them. */
export const LOOPBACK = { allowsLoopback: true, ownHosts: [] };
const rootDir = path.resolve(import.meta.dirname, "../..");
export const SHELL_CONFIG = {
  Env: ["FROM_IMAGE=yes", "PATH=/bin"],
  Entrypoint: ["/bin/sh", "-c"],
  Cmd: ["echo default"],
};
const silent = { info: () => undefined, warn: () => undefined };

export interface RuntimeScene {
  runtime: LocalRuntime;
  registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  /** The reference of an image with a shell and a few programs. */
  shell: string;
  /** The only layer of that image. */
  shellLayer: { bytes: Buffer };
  dataDir: string;
  /** An allocation that runs a script of the shell. */
  script(id: string, script: string, more?: Partial<Allocation>): Allocation;
  /** The observation of a workload once it has exited. */
  exited(id: string): Promise<Exited>;
  /** All output so far. */
  output(id: string): Promise<string>;
  close(): Promise<void>;
}

/** The namespaces runtime of this node with a registry; a sentence if the node cannot run workloads. */
export async function runtimeScene(): Promise<RuntimeScene | string> {
  return missingForWorkloads() ?? openScene({ kind: "namespaces" });
}

/** A runtime with a registry; a sentence if this node lacks a shell for the image. */
export async function openScene(
  node: Pick<RuntimeSettings, "kind" | "engineSockets" | "space"> & { dataDir?: string },
): Promise<RuntimeScene | string> {
  const layer = await shellLayer();
  if (typeof layer === "string") return layer;
  const dataDir = node.dataDir ?? (await mkdtemp(path.join(os.tmpdir(), "svc-runtime-")));
  const started = startRuntime({
    ...node,
    rootDir,
    dataDir,
    policy: LOOPBACK,
    outboundNetwork: INTERNET,
    log: silent,
  });
  const { runtime: chosen, reason } = await started.choice();
  if (!chosen) throw new Error(reason);
  const runtime = chosen as LocalRuntime;
  const registry = await startRegistryDouble();
  const { reference } = registry.add("shell", { layers: [layer], config: SHELL_CONFIG });
  return {
    runtime,
    registry,
    dataDir,
    shell: reference,
    shellLayer: layer,
    script: (id, script, more = {}) => ({ id, image: { reference }, args: [script], network: "none", ...more }),
    exited: (id) => untilExited(runtime, id),
    output: (id) => textOf(runtime.logs(id)),
    close: async () => {
      for (const id of await runtime.list()) await runtime.remove(id);
      for (const id of (await runtime.volumes?.list())?.ids ?? []) await runtime.volumes?.remove(id);
      await started.stop();
      await registry.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

export const untilExited = (runtime: Runtime, id: string): Promise<Exited> =>
  waitFor(async () => expectExited(await runtime.observe(id)), { interval: 10 });

function expectExited(observation: Observation): Exited {
  if (observation.state !== "exited") throw new Error(`The workload is ${observation.state}.`);
  return observation;
}

export async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Control groups of a workload on this node. */
export async function cgroupsOf(id: string): Promise<string[]> {
  const root = "/sys/fs/cgroup";
  const roots = [root, ...(await readdir(root)).map((name) => path.join(root, name))];
  const folders = roots.flatMap((folder) => [folder, path.join(folder, "svc-workloads")]);
  const found = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name))),
  );
  return found.flat().filter((folder) => /\/svc-[^/]+$/.test(folder) && folder.endsWith(`-${id}`));
}
