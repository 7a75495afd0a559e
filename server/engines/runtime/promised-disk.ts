/**
 * The disk space that a running workload is promised, regardless of other workloads: a pod is placed where this much is
 * left for it. Its own disk can be larger (`WorkloadLimits.diskBytes`), as far as the others leave it room.
 */
export const PROMISED_DISK_BYTES = 256 * 1024 ** 2;
