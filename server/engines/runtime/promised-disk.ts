/**
 * What a running workload can write of the disk of its machine, whatever others write: pods are placed where so much is
 * left for each. Its own disk can be larger (`WorkloadLimits.diskBytes`), as far as the others leave it room.
 */
export const PROMISED_DISK_BYTES = 256 * 1024 ** 2;
