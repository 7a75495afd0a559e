import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../../kernel/clock";
import type { AddressPolicy } from "../../address-policy";
import { codeOf } from "../../file-failures";
import type { Network } from "../../guarded-fetch";
import { raiseKernelLimits } from "../namespaces/kernel-limits";
import { writeMarks } from "../namespaces/overlay-marks";
import { VolumeStore, type VolumeStoreParts } from "../namespaces/volume-store";
import { openOutboundSocket } from "../network/outbound-socket";
import { ociArchitecture } from "../oci/image-documents";
import { PullTurns } from "../oci/pull-turns";
import { ownLimits } from "./container-spec";
import { DockerRuntime } from "./docker-runtime";
import { EngineClient } from "./engine-client";
import { ImageStore } from "./image-store";
import { type DockerAbilities, type ProbeDocker, probeDocker, seesDisks } from "./probe-docker";

export interface OpenDockerRuntime {
  /** The folder that contains package.json. */
  rootDir: string;
  /** Absolute; one process at a time. */
  dir: string;
  /** Where an engine may listen, the likeliest first. */
  sockets: readonly string[];
  policy: AddressPolicy;
  network?: Network | undefined;
  /** The internet as workloads reach it. */
  outboundNetwork?: Network | undefined;
  clock: Clock;
  /** Of all images that svc gives to the engine, and so of one image. */
  imageBytesMax: number;
  /** Of the disk of `dir`; absent: it is not watched. */
  space?: { readonly isLow: boolean } | undefined;
  /** Receives a sentence if limits are not enforced. */
  onWarning: (sentence: string) => void;
}

const LAYER_ENTRIES_MAX = 1_000_000;
const ISOLATION =
  "Containers of an engine on this node (processes, files, network, IPC), with the engine's filter of system calls, few privileges and a network that has only a loopback interface; workloads share its kernel, and their root user is that of the node without its privileges.";

/** A runtime on the first engine that has just run a trivial workload; throws an Error with the reasons if none has. */
export async function openDockerRuntime(options: OpenDockerRuntime): Promise<DockerRuntime> {
  if (process.platform !== "linux") throw new Error("it needs Linux");
  const reasons: string[] = [];
  for (const socketPath of options.sockets) {
    try {
      return await openEngine(options, socketPath);
    } catch (cause) {
      reasons.push(`${socketPath}: ${reasonOf(cause)}`);
    }
  }
  throw new Error(reasons.join(", "));
}

async function openEngine(options: OpenDockerRuntime, socketPath: string): Promise<DockerRuntime> {
  const { rootDir, dir, policy, network, clock, imageBytesMax: bytesMax, onWarning } = options;
  const scripts = path.join(rootDir, "server/engines/perl");
  const [workloads, imageFiles] = [path.join(dir, "workloads"), path.join(dir, "images")];
  const architecture = ociArchitecture(process.arch);
  const limits = { downloadBytesMax: bytesMax, bytesMax, entriesMax: LAYER_ENTRIES_MAX };
  const installation = createHash("sha256").update(dir).digest("hex").slice(0, 8);
  const engine = new EngineClient(socketPath);
  // Before anything is written: most nodes have no engine.
  await engine.text({ path: "/_ping" });
  if (process.getuid?.() === 0) for (const problem of await raiseKernelLimits()) onWarning(problem);
  for (const folder of [workloads, imageFiles]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const repository = `svc.local/pods-${installation}`;
  const find = { policy, network, architecture, limits, turns: new PullTurns(bytesMax) };
  const images = new ImageStore({ engine, find, dir: imageFiles, bytesMax, repository, clock });
  await images.open();
  const processLimits = await ownLimits();
  const probe: ProbeDocker = {
    engine,
    images,
    architecture,
    installation,
    processLimits,
    dir: imageFiles,
    image: "svc.local/probe:1",
  };
  const abilities = await probeDocker(probe);
  if (abilities.noDisks !== undefined) onWarning(`limits of the disk are not enforced: ${abilities.noDisks}`);
  const write: VolumeStoreParts["writeMarks"] = (root, marks) => writeMarks(scripts, root, marks);
  const store = { dir: path.join(dir, "volumes"), idBase: 0, writeMarks: write };
  const limited = new VolumeStore({ ...store, hasDisks: true });
  const volumes = (await seesDisks(probe, limited)) ? limited : new VolumeStore({ ...store, hasDisks: false });
  const runtime = new DockerRuntime({
    engine,
    images,
    limits,
    processLimits,
    installation,
    dir: workloads,
    volumes,
    scripts,
    hasDisks: abilities.noDisks === undefined,
    space: (await isOnDiskOf(dir, engine)) ? options.space : undefined,
    outbound: await openOutboundSocket(dir, { network: options.outboundNetwork }),
    gpuDriver: abilities.gpuDriver,
    enforcedLimits: abilities.enforcedLimits,
    isolation: isolationOf(abilities),
    addedVariables: [
      "HOSTNAME",
      "TERM",
      "container",
      ...(abilities.gpuDriver === undefined ? [] : ["NVIDIA_VISIBLE_DEVICES"]),
    ],
  });
  await runtime.takeOver();
  return runtime;
}

/** Whether containers write to the disk of a folder; true if that cannot be found out. */
async function isOnDiskOf(dir: string, engine: EngineClient): Promise<boolean> {
  try {
    const { DockerRootDir: root } = await engine.json<{ DockerRootDir: string }>({ path: "/info" });
    return (await stat(root)).dev === (await stat(dir)).dev;
  } catch {
    return true;
  }
}

function isolationOf({ enforcedLimits }: DockerAbilities): string {
  const names = { memoryBytes: "memory", cpuMillis: "CPU", pids: "processes", diskBytes: "disk" } as const;
  const missing = Object.entries(names).flatMap(([limit, name]) =>
    enforcedLimits.has(limit as keyof typeof names) ? [] : [name],
  );
  return missing.length === 0
    ? ISOLATION
    : `${ISOLATION} The engine does not enforce limits of: ${missing.join(", ")}.`;
}

function reasonOf(cause: unknown): string {
  if (codeOf(cause) === "ENOENT") return "no engine listens there";
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}
