/** Ids of the node: those that the files of all workloads have, or those of one workload's users. */
export interface WorkloadIds {
  /** What is id 0 in the workload; the others follow. */
  first: number;
  /** 65536, or 1 for svc as an ordinary user. */
  count: number;
  /** Whether each workload is given such ids of its own when it starts, and the kernel shows its files with them. */
  areOwn: boolean;
}

const FIRST = 1_900_000_000;
const COUNT = 65_536;

/**
 * Ids that no account and no other known program uses (systemd leaves 1879048192 and above free), or the only id that an
 * ordinary user may give.
 */
export function workloadIds(uid: number): WorkloadIds {
  return uid === 0 ? { first: FIRST, count: COUNT, areOwn: true } : { first: uid, count: 1, areOwn: false };
}

export const isSingleUser = ({ count }: WorkloadIds): boolean => count === 1;

/** Whose files the unpacker may give to others; undefined if this process may not. */
export const idBaseOf = (ids: WorkloadIds): number | undefined => (isSingleUser(ids) ? undefined : ids.first);

/** As the supervisor sees them: that of an ordinary user already runs in a namespace where its id is 0. */
export const idsField = (ids: WorkloadIds): string => (isSingleUser(ids) ? "0 1" : `${ids.first} ${ids.count}`);
