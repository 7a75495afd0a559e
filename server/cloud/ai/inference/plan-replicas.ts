/** A replica, as far as decisions depend on it. */
export interface ReplicaState {
  podId: string;
  /** Its pod runs, or is about to. */
  isAlive: boolean;
  isReady: boolean;
  /** It runs what the spec says now. */
  isCurrent: boolean;
  /** Milliseconds since it receives no new requests; undefined: it does. */
  drainingMs: number | undefined;
  /** Milliseconds for which it has not been ready. */
  unreadyMs: number;
  /** It was ready before. */
  wasReady: boolean;
  /** Requests that it works on, as far as is known. */
  outstanding: number;
}

/** What is to be done about replicas. */
export interface ReplicaPlan {
  create: number;
  drain: string[];
  remove: string[];
  /** Those of `remove` that ended by themselves or were not ready in time. */
  failed: string[];
}

/** Every process has seen that a replica drains after so long. */
const DRAIN_MS_MIN = 3000;
/** Answers that take longer break off. */
const DRAIN_MS_MAX = 10 * 60_000;
/** A model of hundreds of gigabytes is downloaded and loaded. */
const START_MS_MAX = 60 * 60_000;
/** One that was ready must respond again within so long. */
const RECOVER_MS_MAX = 30_000;

/** The steps towards `wanted` replicas: new ones first, and old ones end when as many new ones are ready. Pure. */
export function planReplicas(wanted: number, replicas: readonly ReplicaState[]): ReplicaPlan {
  const failed = replicas.filter((one) => one.drainingMs === undefined && hasFailed(one));
  const removed = new Set([...failed, ...replicas.filter((one) => one.drainingMs !== undefined && isDrained(one))]);
  const serving = replicas.filter((one) => !removed.has(one) && one.drainingMs === undefined);
  const current = serving.filter(({ isCurrent }) => isCurrent);
  const readyFirst = current.toSorted((a, b) => Number(b.isReady) - Number(a.isReady));
  const excess = readyFirst.slice(wanted);
  const old = serving.filter(({ isCurrent }) => !isCurrent);
  const kept = Math.max(0, wanted - readyFirst.slice(0, wanted).filter(({ isReady }) => isReady).length);
  const drained = [...excess, ...old.toSorted((a, b) => Number(b.isReady) - Number(a.isReady)).slice(kept)];
  return {
    create: Math.max(0, wanted - current.length),
    drain: drained.map(({ podId }) => podId),
    remove: [...removed].map(({ podId }) => podId),
    failed: failed.map(({ podId }) => podId),
  };
}

const hasFailed = ({ isAlive, isReady, unreadyMs, wasReady }: ReplicaState): boolean =>
  !isAlive || (!isReady && unreadyMs >= (wasReady ? RECOVER_MS_MAX : START_MS_MAX));

const isDrained = ({ isAlive, isReady, wasReady, drainingMs = 0, outstanding }: ReplicaState): boolean =>
  !isAlive ||
  (!isReady && !wasReady) ||
  (drainingMs >= DRAIN_MS_MIN && outstanding === 0) ||
  drainingMs >= DRAIN_MS_MAX;

/** Whether a plan changes anything. */
export const hasSteps = ({ create, drain, remove }: ReplicaPlan): boolean =>
  create > 0 || drain.length > 0 || remove.length > 0;
