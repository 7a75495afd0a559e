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
  /** Of one process of svc. */
  processesMax: number;
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

export const WORKERD_LIMITS: WorkerdLimits = {
  heapMegabytesMax: 128,
  residentBytesMax: 768 * MIB,
  residentBytesKept: 576 * MIB,
  blockedMs: 1500,
  idleMs: 60_000,
  processesMax: 40,
  outboundRequestsMax: 100,
  svcRequestsMax: 16,
  svcRequestsWaitingMax: 1000,
  svcRequestBytesMax: 11 * MIB,
  svcBytesMax: 256 * MIB,
};
