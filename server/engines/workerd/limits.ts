import os from "node:os";

/** What a process of workers may use. */
export interface WorkerdLimits {
  /** Of one worker's JavaScript heap; V8 ends the process beyond it. */
  heapMegabytesMax: number;
  /** Of the process; it is killed beyond it. */
  residentBytesMax: number;
  /** A process that has grown to this size is replaced as soon as none of its calls runs. */
  residentBytesKept: number;
  /** How long the process may compute without a pause: an endless loop is ended after this time. */
  blockedMs: number;
  /** A process without calls ends after this time. */
  idleMs: number;
  /** Of one process of svc, at once. */
  processesMax: number;
  /** Groups of one tenant that wait for a process. */
  placesWaitingMax: number;
  placeWaitMs: number;
  /** Of one process of workers, at once. */
  outboundRequestsMax: number;
  /** Requests to svc of one process of workers, at once; others wait. */
  svcRequestsMax: number;
  /** Those that wait. */
  svcRequestsWaitingMax: number;
  /** Of one request to svc. */
  svcRequestBytesMax: number;
  /** Of all requests to svc together, of one process of svc. */
  svcBytesMax: number;
}

const MIB = 1024 ** 2;

/** Of the memory of the machine, for all processes of workers at their largest. */
const MEMORY_SHARE = 1 / 2;
/** Few processes ever have their largest size, and a tenant needs some for its projects. */
const PROCESSES_MIN = 8;

export const WORKERD_LIMITS: Omit<WorkerdLimits, "processesMax"> = {
  heapMegabytesMax: 128,
  residentBytesMax: 768 * MIB,
  residentBytesKept: 576 * MIB,
  blockedMs: 1500,
  idleMs: 60_000,
  placesWaitingMax: 100,
  placeWaitMs: 10_000,
  outboundRequestsMax: 100,
  svcRequestsMax: 16,
  svcRequestsWaitingMax: 1000,
  svcRequestBytesMax: 11 * MIB,
  svcBytesMax: 256 * MIB,
};

/** How many processes of workers each of `svcProcesses` on this machine may have: what half of its memory holds. */
export function processesMax(svcProcesses = 1): number {
  // Without a limit of a container it is 0, or more than there is.
  const limited = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const bytes = Math.min(os.totalmem(), limited) * MEMORY_SHARE;
  return Math.max(PROCESSES_MIN, Math.floor(bytes / WORKERD_LIMITS.residentBytesMax / svcProcesses));
}
