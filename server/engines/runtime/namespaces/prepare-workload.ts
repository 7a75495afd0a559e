import { chmod, chown, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import type { ImageConfig } from "../oci/image-documents";
import type { LayerLease } from "../oci/layer-cache";
import { type PullParts, pullImage } from "../oci/pull-image";
import { unpackLayer } from "../oci/unpack-layer";
import { type Allocation, RuntimeError } from "../runtime";
import type { Cgroups } from "./cgroups";
import { deleteFolder } from "./delete-folder";
import { launchWorkload } from "./launch-workload";
import { programOf } from "./program-of";
import type { WorkloadFolder } from "./workload-folder";
import type { WorkloadIds } from "./workload-ids";

export interface PrepareParts {
  scripts: string;
  pull: PullParts;
  ids: WorkloadIds;
  /** Undefined: limits are not enforced. */
  cgroups: Cgroups | undefined;
}

export interface PrepareWorkload {
  allocation: Allocation;
  restore: Readable | undefined;
  folder: WorkloadFolder;
  signal: AbortSignal;
}

/** Pulls the image, makes the folder of the workload and starts it. On failure the caller deletes what exists of it. */
export async function prepareWorkload(parts: PrepareParts, preparation: PrepareWorkload): Promise<void> {
  const { allocation, folder, signal } = preparation;
  const image = await pullImage(allocation.image, parts.pull, signal);
  try {
    signal.throwIfAborted();
    // An earlier start may have been interrupted.
    await deleteFolder(folder.dir);
    await makeFolders(folder, { layers: image.layers, idBase: parts.pull.idBase });
    await restoreFiles(parts, preparation);
    signal.throwIfAborted();
    await start(parts, { ...preparation, config: image.config, layers: image.layers.length });
  } finally {
    image.release();
  }
}

async function makeFolders(
  folder: WorkloadFolder,
  { layers, idBase }: { layers: readonly LayerLease[]; idBase: number | undefined },
): Promise<void> {
  for (const name of ["lower", "upper", "work", "root", "log"] as const) {
    await mkdir(folder.file(name), { recursive: true, mode: 0o700 });
  }
  // The root folder of the workload.
  if (idBase !== undefined) await chown(folder.file("upper"), idBase, idBase);
  await chmod(folder.file("upper"), 0o755);
  for (const [index, layer] of layers.entries()) {
    await symlink(layer.folder, path.join(folder.file("lower"), String(index)));
  }
}

async function restoreFiles({ pull }: PrepareParts, { restore, folder, signal }: PrepareWorkload): Promise<void> {
  if (!restore) return;
  const stop = () => restore.destroy(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const root = folder.file("upper");
    const { marks } = await unpackLayer(restore, { root, limits: pull.limits, idBase: pull.idBase });
    await pull.writeMarks(root, marks);
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof RuntimeError)) throw cause;
    throw new RuntimeError("start_failed", `The snapshot cannot be restored: ${cause.message}`, { cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function start(
  { scripts, cgroups, ids }: PrepareParts,
  { allocation, folder, config, layers }: PrepareWorkload & { config: ImageConfig; layers: number },
): Promise<void> {
  const program = programOf(config, allocation);
  const { user, workingDir, stopSignal } = program;
  await folder.writeNotes({ user, workingDir, stopSignal });
  const cgroup = await cgroups?.create(allocation.id, allocation.limits ?? {});
  await launchWorkload({ scripts, folder, allocation, program, layers, cgroup, ids });
}
