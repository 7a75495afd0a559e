import type { Readable } from "node:stream";

/** Disks that outlive workloads. Every method may be called again after a crash. */
export interface RuntimeVolumes {
  /** Whether a workload gets an error from the kernel when it writes more than the size of a volume. */
  isEnforced: boolean;
  /**
   * Makes a volume, empty or with the files of `restore`, a stream that `snapshot` returned. A complete one stays as it
   * is; what an interrupted call has left is deleted first. The stream is destroyed when it is not needed. Ids are like
   * those of workloads, and `terminate` of the same id interrupts the call, which then rejects with `terminated`. Rejects
   * with RuntimeError, also `no_disk_space`; nothing is left behind then.
   */
  make(id: string, options: MakeVolume): Promise<void>;
  /**
   * The files of a volume as an uncompressed tar archive. Files that change meanwhile may be torn. Sockets, devices,
   * extended attributes and files whose names are not UTF-8 are left out. The stream fails with `volume_missing`, and with
   * `not_supported`.
   */
  snapshot(id: string): Readable;
  /**
   * Makes a volume larger, also while workloads use it; one that has the size stays as it is, and none becomes smaller.
   * Rejects with `volume_missing`, `no_disk_space`, `not_supported`, and `volume_busy` where the node can do so only while
   * no workload uses it.
   */
  grow(id: string, bytes: number): Promise<void>;
  /** Limits what a volume reads, and what it writes, in a second; 0: no limit. false: the node does not enforce it. */
  limit(id: string, bytesPerSecond: number): Promise<boolean>;
  list(): Promise<VolumeList>;
  /** Deletes a volume that no running workload has. Succeeds for an unknown id. */
  remove(id: string): Promise<void>;
}

export interface MakeVolume {
  /** What it may hold, with what its file system needs for itself. */
  bytes: number;
  restore?: Readable | undefined;
}

/** Of the archive of a volume that holds so many bytes: as much again for the headers of small files, and for holes. */
export const volumeArchiveMax = (bytes: number): number => 2 * bytes;

export interface VolumeList {
  /** Of all that use anything, incomplete ones included. */
  ids: string[];
  /** The sizes of all volumes together may be so large; null: not known. */
  bytesMax: number | null;
  /** What each takes of the disk of the node; absent: not known, or they are not there. */
  usedBytes?: Readonly<Record<string, number>> | undefined;
  /** What each workload takes, its output included; absent: not known. */
  workloadBytes?: Readonly<Record<string, number>> | undefined;
  /** What the disks of all running workloads may be promised beside the volumes; absent: not known. */
  promisesMax?: number | undefined;
}

/** A volume in the files of a workload. */
export interface MountedVolume {
  id: string;
  /** Absolute, see `volumePathProblem`; none is within another one. Folders that are missing are made; none may be a symbolic link. */
  path: string;
  /** The kernel refuses to write, also to the root user of the workload. */
  readOnly?: boolean | undefined;
}
