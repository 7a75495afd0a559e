import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock";
import type { AddressPolicy } from "../../address-policy";
import type { Network } from "../../guarded-fetch";
import { launchScript } from "../launch-script";
import { deleteFolder } from "../namespaces/delete-folder";
import { PROBE_EXIT_CODE, probeProgram } from "../namespaces/probe-program";
import { WorkloadFolder } from "../namespaces/workload-folder";
import { ociArchitecture } from "../oci/image-documents";
import { LayerCache } from "../oci/layer-cache";
import { PrefetchedImages } from "../oci/prefetched-images";
import { PullTurns } from "../oci/pull-turns";
import { writeLayerMarks } from "./layer-marks";
import { markOf } from "./process-environment";
import { ProcessRuntime, removeWorkload } from "./process-runtime";

export interface OpenProcessRuntime {
  /** The folder that contains package.json. */
  rootDir: string;
  /** Absolute; one process at a time. */
  dir: string;
  policy: AddressPolicy;
  network?: Network | undefined;
  clock: Clock;
  /** Also limits what one layer may contain. */
  cacheBytesMax: number;
  /** Throws while the disk of `dir` has no room for so many bytes. */
  assertRoom?: ((bytes: number) => void) | undefined;
  /** Of the disk of `dir`; absent: it is not watched. */
  space?: { readonly isLow: boolean } | undefined;
  /** Receives a sentence on what is not separated. */
  onWarning: (sentence: string) => void;
}

/** Images for machine learning have about 100,000 files. */
const LAYER_ENTRIES_MAX = 1_000_000;
const START_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/** A runtime that has just run a trivial program; throws an Error with the reason if it cannot. */
export async function openProcessRuntime(options: OpenProcessRuntime): Promise<ProcessRuntime> {
  if (process.platform !== "linux") throw new Error("it needs Linux");
  const { rootDir, dir, policy, network, clock, cacheBytesMax: bytesMax } = options;
  const scripts = path.join(rootDir, "server/engines/perl");
  const workloads = workloadsOf(dir);
  if (dir.includes(":")) throw new Error("the path of the data directory contains a colon, which ends folders in PATH");
  const architecture = ociArchitecture(process.arch);
  await mkdir(workloads, { recursive: true, mode: 0o700 });
  await deleteTrials(workloads);
  await probe({ scripts, workloads, architecture });
  const cache = new LayerCache({
    dir: path.join(dir, "layers"),
    bytesMax,
    clock,
    deleteFolder,
    // Workloads have copies.
    inUse: async () => new Set<string>(),
  });
  await cache.open();
  options.onWarning(
    "RUNTIME=process runs programs of test keys with all rights of the user of svc: give test keys only to people who may have them",
  );
  const limits = {
    downloadBytesMax: bytesMax,
    bytesMax,
    entriesMax: LAYER_ENTRIES_MAX,
    assertRoom: options.assertRoom,
  };
  const turns = new PullTurns(bytesMax);
  const pull = { cache, prefetched: new PrefetchedImages(clock), policy, network, architecture, limits, turns };
  return new ProcessRuntime({
    dir: workloads,
    scripts,
    space: options.space,
    pull: { ...pull, idBase: undefined, writeMarks: writeLayerMarks },
  });
}

/** Ends and deletes the workloads of a folder, for an installation that no longer runs them so. */
export async function removeProcesses(dir: string): Promise<void> {
  const workloads = workloadsOf(dir);
  const names = await readdir(workloads).catch(() => []);
  await Promise.all(names.map((name) => removeWorkload(new WorkloadFolder(path.join(workloads, name)))));
}

const workloadsOf = (dir: string): string => path.join(dir, "workloads");

/** What an earlier process left of its trials; their names begin with a dot. */
async function deleteTrials(workloads: string): Promise<void> {
  for (const name of await readdir(workloads)) {
    if (name.startsWith(".")) await removeWorkload(new WorkloadFolder(path.join(workloads, name)));
  }
}

async function probe(parts: { scripts: string; workloads: string; architecture: string }): Promise<void> {
  const { scripts, workloads, architecture } = parts;
  const program = probeProgram(architecture);
  if (!program) throw new Error(`the architecture ${architecture} is not supported`);
  const folder = new WorkloadFolder(path.join(workloads, `.probe-${randomUUID()}`));
  try {
    for (const name of ["root", "log"] as const) await mkdir(folder.file(name), { recursive: true });
    const file = path.join(folder.file("root"), "probe");
    await writeFile(file, program, { mode: 0o755 });
    const fields = [
      ["dir", folder.dir] as const,
      ["mark", markOf(folder.dir)] as const,
      ["segment", "65536"] as const,
      ["segments", "2"] as const,
      ["cwd", folder.file("root")] as const,
      ["command", file] as const,
    ];
    await launchScript({
      scripts,
      name: "supervise.pl",
      fields,
      timeoutMs: START_TIMEOUT_MS,
      logFile: folder.file("supervisor.log"),
      logFlags: "w",
      silentFailure: "perl cannot be run",
    });
    await expectExit(folder);
  } finally {
    await removeWorkload(folder);
  }
}

async function expectExit(folder: WorkloadFolder): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const state = await folder.state();
    if (state.state === "starting" || state.state === "running") continue;
    if (state.state === "exited" && state.exitCode === PROBE_EXIT_CODE) return;
    break;
  }
  throw new Error("a program that only exits did not exit as it should");
}
