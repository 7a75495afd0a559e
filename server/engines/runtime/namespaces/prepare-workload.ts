import { chmod, chown, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import type { GpuDriver } from "../nvidia/gpu-driver";
import { gpuFiles } from "../nvidia/gpu-files";
import { driverPaths, gpuVariables } from "../nvidia/gpu-variables";
import type { ImageConfig } from "../oci/image-documents";
import type { LayerLease } from "../oci/layer-cache";
import type { PrefetchParts } from "../oci/prefetch-image";
import { pullImage } from "../oci/pull-image";
import { restoreFiles } from "../oci/restore-files";
import { type Allocation, RuntimeError, type StartReport } from "../runtime";
import { NOT_KNOWN } from "../workload-life";
import type { Cgroups } from "./cgroups";
import { launchWorkload } from "./launch-workload";
import type { PrivateNetworks } from "./private-networks";
import { programOf, type WorkloadProgram } from "./program-of";
import type { VolumeStore } from "./volume-store";
import { DISK_BYTES_DEFAULT, deleteDisk, makeDisk } from "./workload-disk";
import type { WorkloadFolder } from "./workload-folder";
import type { WorkloadIds } from "./workload-ids";

export interface PrepareParts {
  scripts: string;
  pull: PrefetchParts;
  ids: WorkloadIds;
  /** Undefined: limits are not enforced. */
  cgroups: Cgroups | undefined;
  /** Whether workloads have disks of limited size. */
  hasDisks: boolean;
  /** Called with the folder of a workload's disk when that is mounted and its program has not begun. */
  beforeLaunch?: ((disk: string) => Promise<void>) | undefined;
  gpuDriver: GpuDriver;
  volumes: VolumeStore;
  /** Undefined: this node has no private networks. */
  networks: PrivateNetworks | undefined;
}

/** As in `confine.pl`. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export interface PrepareWorkload {
  allocation: Allocation;
  restore: Readable | undefined;
  folder: WorkloadFolder;
  signal: AbortSignal;
}

/** Pulls the image, makes the folder of the workload and starts it. On failure the caller deletes what exists of it. */
export async function prepareWorkload(parts: PrepareParts, preparation: PrepareWorkload): Promise<StartReport> {
  const { allocation, folder, signal } = preparation;
  const image = await pullImage(allocation.image, parts.pull, signal);
  try {
    signal.throwIfAborted();
    // A supervisor that an earlier process has just started may have become visible meanwhile.
    if ((await folder.state()).state !== "absent") return NOT_KNOWN;
    // An earlier start may have been interrupted.
    await deleteDisk(folder);
    await makeFolders(parts, { ...preparation, layers: image.layers });
    const { limits, idBase, writeMarks } = parts.pull;
    const rootOf = async () => folder.file("data/upper");
    await restoreFiles({ restore: preparation.restore, signal, rootOf, limits, idBase, writeMarks });
    signal.throwIfAborted();
    await start(parts, { ...preparation, config: image.config, layers: image.layers.length });
    return { pulledBytes: image.pulledBytes };
  } finally {
    image.release();
  }
}

async function makeFolders(
  { pull: { idBase }, hasDisks }: PrepareParts,
  { folder, allocation, layers }: PrepareWorkload & { layers: readonly LayerLease[] },
): Promise<void> {
  await mkdir(folder.dir, { recursive: true, mode: 0o700 });
  if (hasDisks) await makeDisk(folder, allocation.limits?.diskBytes ?? DISK_BYTES_DEFAULT);
  for (const name of ["lower", "data/upper", "data/work", "root", "log"] as const) {
    await mkdir(folder.file(name), { recursive: true, mode: 0o700 });
  }
  // Mounted in the workload, whose users must be able to read it.
  await mkdir(folder.file("notices"), { recursive: true });
  await chmod(folder.file("notices"), 0o755);
  // The root folder of the workload.
  if (idBase !== undefined) await chown(folder.file("data/upper"), idBase, idBase);
  await chmod(folder.file("data/upper"), 0o755);
  for (const [index, layer] of layers.entries()) {
    await symlink(layer.folder, path.join(folder.file("lower"), String(index)));
  }
}

async function start(
  { scripts, cgroups, ids, gpuDriver, volumes, networks, beforeLaunch }: PrepareParts,
  { allocation, folder, config, layers }: PrepareWorkload & { config: ImageConfig; layers: number },
): Promise<void> {
  const { gpus = [], privateNetwork: joined, hostname = allocation.id } = allocation;
  const program = withGpus(programOf(config, allocation), gpus);
  const { user, workingDir, stopSignal } = program;
  if (joined && !networks) throw new RuntimeError("not_supported", "This node has no private networks.");
  await folder.writeNotes({ user, workingDir, stopSignal, ...(joined && { network: joined.id }) });
  const cgroup = await cgroups?.create(allocation.id, allocation.limits ?? {});
  const files = gpus.length > 0 ? await gpuFiles(gpuDriver, gpus) : undefined;
  const mounts = await volumes.attachAll(allocation);
  const place = joined && (await networks?.place(joined, { dir: folder.dir, hostname }));
  await beforeLaunch?.(folder.dir);
  await launchWorkload({ scripts, folder, allocation, program, layers, cgroup, ids, files, mounts, place });
}

function withGpus(program: WorkloadProgram, gpus: readonly string[]): WorkloadProgram {
  if (gpus.length === 0) return program;
  return { ...program, env: [...program.env, ...driverPaths(program.env, DEFAULT_PATH), ...gpuVariables(gpus)] };
}
