const MIB = 1024 ** 2;
const GIB = 1024 * MIB;
const SHARE = 0.1;
const BYTES_MAX = 20 * GIB;
const BYTES_MIN = 512 * MIB;
/** On disks on which 512 MiB would be more than this, such as those of tests. */
const SHARE_MAX = 0.25;

/** Free bytes of the disk of the data directory at which svc acts. */
export interface DiskLevels {
  /** Below it tenants' writes are refused. */
  reserveBytes: number;
  /** From it on they are accepted again: more than the reserve, so that a write does not end what it has begun. */
  acceptBytes: number;
  /** Below it workloads that still write are paused. */
  pauseBytes: number;
  /** Beyond it the kernel refuses what workloads write. */
  limitBytes: number;
  /** Below it the preallocated file is deleted. */
  releaseBytes: number;
  /** Of the preallocated file. */
  heldBytes: number;
}

/** A tenth of the disk, at least 512 MiB (or a quarter of a smaller disk) and at most 20 GiB, is svc's own. */
export function diskLevels(diskBytes: number): DiskLevels {
  const least = Math.min(BYTES_MIN, diskBytes * SHARE_MAX);
  const reserveBytes = Math.floor(Math.min(BYTES_MAX, Math.max(least, diskBytes * SHARE)));
  return {
    reserveBytes,
    acceptBytes: reserveBytes + Math.min(256 * MIB, Math.floor(reserveBytes / 16)),
    pauseBytes: Math.floor(reserveBytes / 2),
    limitBytes: Math.floor(reserveBytes / 4),
    releaseBytes: Math.floor(reserveBytes / 8),
    heldBytes: Math.min(256 * MIB, Math.floor(reserveBytes / 4)),
  };
}
