import { chmod, chown, mkdir, readdir, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { KeyedQueue } from "../../../kernel/keyed-queue";
import { codeOf } from "../../file-failures";
import { deferredStream } from "../deferred-stream";
import type { OverlayMark } from "../oci/layer-marks";
import { unpackLayer } from "../oci/unpack-layer";
import { type Allocation, RuntimeError } from "../runtime";
import {
  type MakeVolume,
  type MountedVolume,
  type RuntimeVolumes,
  type VolumeList,
  volumeArchiveMax,
} from "../runtime-volumes";
import { whenRead } from "../when-read";
import { WorkloadStarts } from "../workload-starts";
import { snapshotFiles } from "./snapshot-files";
import { applyLimit, endLimit, type FileSize, freeBytes, sizeOf, VolumeFolder } from "./volume-folder";
import { promisesMax, volumesMax } from "./volume-space";
import { attachDisk, deleteDisk, detachDisk, growDisk, isMounted, makeDisk, syncDisk } from "./workload-disk";

export interface VolumeStoreParts {
  /** Absolute; has one folder per volume. */
  dir: string;
  /** Whether volumes are file systems of limited size; otherwise they are folders. */
  hasDisks: boolean;
  /** The node's id that is id 0 in workloads; undefined: files belong to this process. */
  idBase: number | undefined;
  writeMarks: (root: string, marks: readonly OverlayMark[]) => Promise<void>;
  /** What workloads take, if they are on the same disk. */
  workloadUses?: (() => Promise<WorkloadUses>) | undefined;
}

export interface WorkloadUses {
  bytes: Readonly<Record<string, number>>;
  /** What those that have not ended have taken of what each is promised. */
  promisedBytes: number;
}

/** A volume that is mounted on the node, and where a workload has it. */
export interface VolumeMount extends Omit<MountedVolume, "id"> {
  /** The folder on the node. */
  source: string;
}

interface Making extends MakeVolume {
  signal: AbortSignal;
}

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const BYTES_MIN = 16 * 1024 ** 2;
const BYTES_MAX = 4 * 1024 ** 4;
const GIB = 1024 ** 3;
/** The most files of ext4 in its default format. */
const BYTES_PER_FILE = 16 * 1024;
const FILES_MIN = 1_000_000;

/** Volumes as file systems in files, each with a limit that the kernel enforces, or as folders without one. */
export class VolumeStore implements RuntimeVolumes {
  readonly isEnforced: boolean;
  readonly #makings = new WorkloadStarts<void>();
  /** Of what mounts and unmounts a volume. */
  readonly #turns = new KeyedQueue();
  /** What needs a volume mounted, by its id: ids of workloads, and marks of what this process does with it. */
  readonly #holders = new Map<string, Set<unknown>>();

  constructor(readonly parts: VolumeStoreParts) {
    this.isEnforced = parts.hasDisks;
  }

  async make(id: string, { bytes, restore }: MakeVolume): Promise<void> {
    // It may fail before it is read, which then reports the failure.
    restore?.on("error", () => {});
    try {
      if (!ID.test(id) || !(bytes >= BYTES_MIN && bytes <= BYTES_MAX)) {
        throw new RuntimeError("invalid_allocation", `A volume has ${BYTES_MIN} to ${BYTES_MAX} bytes.`);
      }
      await this.#makings.once(id, (signal) => this.#make(id, { bytes, restore, signal }));
    } finally {
      restore?.destroy();
    }
  }

  /** Mounts a volume on the node until `holder` releases it. Returns the folder with its files. Throws `volume_missing`. */
  async attach(id: string, holder: unknown): Promise<string> {
    const folder = this.#folder(id);
    if (!(await folder.isComplete())) throw missing();
    this.#hold(id, holder);
    await this.#turns.run(id, async () => {
      await attachDisk(folder);
      await applyLimit(folder);
    });
    return folder.files;
  }

  /** Mounts the volumes of a workload on the node until it is released. Throws `volume_missing`. */
  attachAll({ id: holder, volumes = [] }: Pick<Allocation, "id" | "volumes">): Promise<VolumeMount[]> {
    return Promise.all(
      volumes.map(async ({ id, ...mounted }) => ({ ...mounted, source: await this.attach(id, holder) })),
    );
  }

  /** Unmounts the volumes that only `holder` needed, such as a workload that has ended. */
  async release(holder: unknown): Promise<void> {
    const held = [...this.#holders].filter(([, holders]) => holders.delete(holder)).map(([id]) => id);
    await Promise.all(held.map((id) => this.#detach(id)));
  }

  /**
   * Unmounts what an earlier process has left mounted, except what `holders`, the workloads that run, have: the folders of
   * what each of them has mounted, by id.
   */
  async takeOver(holders: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    const { ids } = await this.list();
    for (const id of ids) {
      for (const [holder, folders] of holders) if (folders.has(this.#folder(id).dir)) this.#hold(id, holder);
    }
    await Promise.all(ids.map((id) => this.#detach(id)));
  }

  snapshot(id: string): Readable {
    const { idBase = process.getuid?.() ?? 0 } = this.parts;
    const holder = Symbol(id);
    const open = async () => snapshotFiles({ root: await this.attach(id, holder), idBase, isLayer: false });
    return whenRead(deferredStream(open()), () => this.release(holder));
  }

  async grow(id: string, bytes: number): Promise<void> {
    await this.#while(id, () => this.#grow(id, bytes));
  }

  async #grow(id: string, bytes: number): Promise<void> {
    const folder = this.#folder(id);
    if (!this.parts.hasDisks) return;
    if (!(bytes <= BYTES_MAX)) throw new RuntimeError("invalid_allocation", `A volume has at most ${BYTES_MAX} bytes.`);
    const [{ size }, free] = await Promise.all([stat(folder.file("disk")), freeBytes(folder.dir)]);
    if (bytes > size && free < bytes - size) {
      throw noSpace(`it needs ${gibOf(bytes - size)} GiB more of the disk, and ${gibOf(free)} GiB are free`);
    }
    // It may have another device afterwards.
    await endLimit(folder);
    const isGrown = await this.#turns.run(id, () => growDisk(folder, bytes));
    await applyLimit(folder);
    if (!isGrown) throw busy();
  }

  async limit(id: string, bytesPerSecond: number): Promise<boolean> {
    const folder = this.#folder(id);
    return this.#while(id, async () => {
      if (!this.parts.hasDisks) return false;
      await writeFile(folder.file("limit"), String(bytesPerSecond), { flush: true });
      return applyLimit(folder);
    });
  }

  async list(): Promise<VolumeList> {
    const { dir } = this.parts;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const ids = (await readdir(dir)).filter((name) => ID.test(name));
    const files = await Promise.all(ids.map((id) => sizeOf(this.#folder(id).file("disk"))));
    const sum = (of: keyof FileSize) => files.reduce((total, file) => total + file[of], 0);
    const usedBytes = Object.fromEntries(ids.map((id, i) => [id, files[i]?.taken ?? 0]));
    const { blocks, bavail, bsize } = await statfs(dir);
    const [left, diskBytes] = [bavail * bsize + sum("taken"), blocks * bsize];
    const { hasDisks } = this.parts;
    const workloads = await this.parts.workloadUses?.();
    return {
      ids,
      bytesMax: volumesMax(left, diskBytes),
      ...(hasDisks && { usedBytes }),
      ...(workloads && {
        workloadBytes: workloads.bytes,
        promisesMax: promisesMax({ leftBytes: left + workloads.promisedBytes, diskBytes, volumesBytes: sum("size") }),
      }),
    };
  }

  async remove(id: string): Promise<void> {
    if (!ID.test(id)) return;
    await this.#makings.interrupt(id);
    const folder = this.#folder(id);
    this.#holders.delete(id);
    await this.#turns.run(id, async () => {
      await endLimit(folder);
      await deleteDisk(folder);
    });
  }

  /** Ends the making of a volume, if it is under way. */
  interrupt(id: string): Promise<void> {
    return this.#makings.interrupt(id);
  }

  close(): Promise<void> {
    return this.#makings.interruptAll();
  }

  #isHeld(id: string): boolean {
    return (this.#holders.get(id)?.size ?? 0) > 0;
  }

  #hold(id: string, holder: unknown): void {
    this.#holders.set(id, (this.#holders.get(id) ?? new Set()).add(holder));
  }

  /** Does something with a volume that is mounted meanwhile. Throws `volume_missing`. */
  async #while<T>(id: string, task: () => Promise<T>): Promise<T> {
    const holder = Symbol(id);
    try {
      await this.attach(id, holder);
      return await task();
    } finally {
      await this.release(holder);
    }
  }

  /** Unmounts a volume that nothing needs. */
  #detach(id: string): Promise<void> {
    const folder = this.#folder(id);
    return this.#turns.run(id, async () => {
      if (this.#isHeld(id) || !(await isMounted(folder)) || this.#isHeld(id)) return;
      this.#holders.delete(id);
      await endLimit(folder);
      if (!(await detachDisk(folder))) await applyLimit(folder);
    });
  }

  async #make(id: string, making: Making): Promise<void> {
    const folder = this.#folder(id);
    if (await folder.isComplete()) return;
    await deleteDisk(folder);
    try {
      await this.#fill(folder, making);
      await this.#detach(id);
    } catch (cause) {
      await deleteDisk(folder);
      making.signal.throwIfAborted();
      throw failureOf(cause);
    }
  }

  async #fill(folder: VolumeFolder, { bytes, restore, signal }: Making): Promise<void> {
    const { hasDisks, idBase } = this.parts;
    await mkdir(folder.dir, { recursive: true, mode: 0o700 });
    const free = await freeBytes(folder.dir);
    if (free < bytes) throw noSpace(`it needs ${gibOf(bytes)} GiB of the disk, and ${gibOf(free)} GiB are free`);
    if (hasDisks) await makeDisk(folder, bytes);
    await mkdir(folder.files, { recursive: true });
    if (idBase !== undefined) await chown(folder.files, idBase, idBase);
    // Images run their programs as any user.
    await chmod(folder.files, 0o777);
    if (restore) await this.#restore(folder.files, { bytes, restore, signal });
    signal.throwIfAborted();
    if (hasDisks) await syncDisk(folder);
    await writeFile(folder.file("complete"), "", { flush: true });
  }

  async #restore(root: string, { bytes, restore, signal }: Making & { restore: Readable }): Promise<void> {
    const { idBase, writeMarks } = this.parts;
    const stop = () => restore.destroy(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const entriesMax = Math.max(FILES_MIN, Math.ceil(bytes / BYTES_PER_FILE));
      // Holes of sparse files count; the disk itself is the limit of what is written.
      const limits = { bytesMax: volumeArchiveMax(bytes), entriesMax };
      const { marks } = await unpackLayer(restore, { root, limits, idBase, isLayer: false });
      await writeMarks(root, marks);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #folder(id: string): VolumeFolder {
    return new VolumeFolder(path.join(this.parts.dir, id));
  }
}

function failureOf(cause: unknown): unknown {
  if (codeOf(cause) === "ENOSPC") return noSpace("its files do not fit into it, or the disk of the node is full");
  if (!(cause instanceof RuntimeError) || cause.reason === "no_disk_space") return cause;
  return new RuntimeError("start_failed", `The files of the volume cannot be restored: ${cause.message}`, { cause });
}

const gibOf = (bytes: number): string => (bytes / GIB).toFixed(1).replace(/\.0$/, "");

const noSpace = (why: string): RuntimeError =>
  new RuntimeError("no_disk_space", `The volume cannot be made on this node: ${why}.`);

const busy = (): RuntimeError =>
  new RuntimeError(
    "volume_busy",
    "Something uses the volume, and the kernel of its node lets svc enlarge it only while nothing does. Stop the pods that mount it.",
  );

const missing = (): RuntimeError =>
  new RuntimeError("volume_missing", "The node does not have the volume of this workload.");
