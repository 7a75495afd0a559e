import type { Readable } from "node:stream";
import { LOG_BYTES_DEFAULT } from "../launch-supervisor";
import { deleteFolder } from "../namespaces/delete-folder";
import { writeMarks } from "../namespaces/overlay-marks";
import { programOf } from "../namespaces/program-of";
import type { VolumeStore } from "../namespaces/volume-store";
import { restoreFiles } from "../oci/restore-files";
import type { UnpackLimits } from "../oci/unpack-layer";
import type { Allocation, StartReport } from "../runtime";
import type { ContainerFolder, ContainerNotes } from "./container-folder";
import { containerSpec, type EngineGpuDriver, type ProcessLimits } from "./container-spec";
import type { InspectedContainer } from "./container-state";
import { type EngineClient, EngineError } from "./engine-client";
import type { ImageStore, StoredImage } from "./image-store";
import { launchKeeper } from "./launch-keeper";

export interface ContainerParts {
  engine: EngineClient;
  images: ImageStore;
  /** The folder of the Perl scripts. */
  scripts: string;
  /** Of what is restored. */
  limits: UnpackLimits;
  processLimits: ProcessLimits;
  hasDisks: boolean;
  volumes: VolumeStore;
  /** How the engine passes GPUs on; undefined: it cannot. */
  gpuDriver: EngineGpuDriver | undefined;
}

export interface PrepareContainer {
  allocation: Allocation;
  /** Of the container in the engine. */
  name: string;
  labels: Readonly<Record<string, string>>;
  folder: ContainerFolder;
  restore: Readable | undefined;
  signal: AbortSignal;
}

/** Pulls the image, makes the container and starts it. On failure the caller deletes what exists of it. */
export async function prepareContainer(parts: ContainerParts, preparation: PrepareContainer): Promise<StartReport> {
  const { allocation, name, folder, signal } = preparation;
  const image = await parts.images.ensure(allocation.image, signal);
  try {
    signal.throwIfAborted();
    // An earlier start may have been interrupted. One that has just succeeded is not deleted, and this fails.
    await deleteContainer(parts.engine, name);
    await deleteFolder(folder.dir);
    await folder.make(allocation.hostname ?? allocation.id);
    const notes = await createContainer(parts, { ...preparation, image });
    await folder.writeNotes(notes);
    const { engine, scripts, limits } = parts;
    await restoreFiles({
      restore: preparation.restore,
      signal,
      rootOf: () => upperFolderOf(engine, notes.container),
      limits,
      idBase: 0,
      writeMarks: (root, marks) => writeMarks(scripts, root, marks),
    });
    signal.throwIfAborted();
    await launchKeeper({ scripts, socketPath: engine.socketPath, folder, notes, starts: true });
    return { pulledBytes: image.pulledBytes };
  } finally {
    image.release();
  }
}

/** Succeeds if there is none; rejects for one that runs unless it is forced. */
export async function deleteContainer(engine: EngineClient, name: string, { force = false } = {}): Promise<void> {
  try {
    await engine.text({ path: `/containers/${name}?v=1&force=${force}`, method: "DELETE" });
  } catch (cause) {
    if (!(cause instanceof EngineError && cause.status === 404)) throw cause;
  }
}

async function createContainer(
  parts: ContainerParts,
  { allocation, name, labels, folder, image }: PrepareContainer & { image: StoredImage },
): Promise<ContainerNotes> {
  const { engine, processLimits, hasDisks, gpuDriver, volumes } = parts;
  const program = programOf(image.config, allocation);
  const readOnly = [`${folder.file("hosts")}:/etc/hosts`, `${folder.file("notices")}:/run/svc`];
  const limits = { processLimits, hasDisks, gpuDriver, mounts: await volumes.attachAll(allocation) };
  const body = containerSpec({ allocation, program, image: image.name, labels, readOnly, ...limits });
  const created = { path: `/containers/create?name=${name}`, method: "POST", body } as const;
  const { Id: container } = await engine.json<{ Id: string }>(created);
  const { logBytesMax = LOG_BYTES_DEFAULT, network } = allocation;
  return { container, stopSignal: program.stopSignal, logBytesMax, network };
}

/** The folder with the files that a container has changed in its image. */
export async function upperFolderOf(engine: EngineClient, container: string): Promise<string> {
  const found = await engine.json<InspectedContainer>({ path: `/containers/${container}/json` });
  const folder = found.GraphDriver?.Data?.UpperDir;
  if (folder === undefined) throw new Error("the engine does not keep changed files in a folder of their own");
  return folder;
}
