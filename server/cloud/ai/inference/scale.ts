/** What the number of replicas depends on. */
export interface Load {
  /** Requests that replicas work on, and that wait for one. */
  outstanding: number;
  queued: number;
  /** Requests of one replica at a time. */
  target: number;
  /** Replicas that are wanted now. */
  current: number;
  min: number;
  max: number;
  /** Milliseconds since all current replicas were needed, or one of the last was used. */
  quietMs: number;
  /** Fewer replicas must be enough for so long before some end. */
  scaleDownMs: number;
}

/** How many replicas the load needs, without regard to how many there are. */
export const neededReplicas = ({ outstanding, queued, target, min, max }: Omit<Load, "current" | "quietMs">): number =>
  Math.min(max, Math.max(min, Math.ceil((outstanding + queued) / target)));

/** How many replicas are wanted next: more at once, fewer after a quiet time. Pure. */
export function scaleOf(load: Load): number {
  const needed = neededReplicas(load);
  const { current, min, max, quietMs, scaleDownMs } = load;
  if (current < min || current > max) return Math.min(max, Math.max(min, needed));
  return needed >= current || quietMs >= scaleDownMs ? needed : current;
}
