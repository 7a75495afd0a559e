/** A disk of a workload or a volume: a file on the disk of the data directory, in which a tenant writes without svc. */
export interface DiskUse {
  /** The path of its folder. */
  disk: string;
  /** What its file will take of the disk when the kernel has written everything. */
  usedBytes: number;
  /** What its file takes of the disk. */
  storedBytes: number;
  /** What is free in its file system. */
  freeBytes: number;
  /** How much of that the kernel lets it use at present. */
  allowedBytes: number;
}

/** What the workloads of a node write. */
export interface DiskWriters {
  measure(): Promise<readonly DiskUse[]>;
  /** By how many bytes each disk may grow from what `measure` has said; the kernel refuses more, where it can. */
  limit(growth: readonly DiskGrowth[]): Promise<void>;
  /** Stops every process that uses one of these disks, until `resume`. */
  pause(disks: readonly string[]): Promise<void>;
  /** Ends every workload that uses one of these disks: it has gone on although it was paused. */
  end(disks: readonly string[]): Promise<void>;
  /** Lets all that `pause` has stopped go on, also what an earlier process of svc has paused. */
  resume(): Promise<void>;
}

export interface DiskGrowth extends DiskUse {
  growthBytes: number;
}

/** What it will take of the disk once the kernel has written everything. */
export const takenBytes = ({ usedBytes, storedBytes }: DiskUse): number => Math.max(usedBytes, storedBytes);

/**
 * Divides what all disks together may grow by: those that need little get all of it, the others equal shares. What one disk
 * may no longer use is given to others at the next call only: until the kernel knows, it may still be used. Each disk has
 * at least `leastBytes`, so that programs that hardly write go on beside one that fills the disk.
 */
export function shareGrowth(
  uses: readonly DiskUse[],
  { bytes, leastBytes }: { bytes: number; leastBytes: number },
): DiskGrowth[] {
  let left = Math.max(0, bytes);
  const sorted = [...uses].sort((a, b) => a.freeBytes - b.freeBytes);
  const shares = sorted.map(({ freeBytes }, i) => {
    const share = Math.min(freeBytes, Math.floor(left / (sorted.length - i)));
    left -= share;
    return share;
  });
  let unused = bytes - uses.reduce((sum, { allowedBytes }) => sum + allowedBytes, 0);
  return sorted.map((use, i) => {
    const share = shares[i] ?? 0;
    const more = Math.min(Math.max(0, unused), share - use.allowedBytes);
    unused -= Math.max(0, more);
    return { ...use, growthBytes: Math.max(use.allowedBytes + more, Math.min(use.freeBytes, leastBytes)) };
  });
}
