import type { Exited, Observation } from "../runtime";
import { exitOf } from "./exit-of";
import { WORKLOAD_CONTAINER } from "./object-names";
import type { ContainerWire, PodWire } from "./pod-wire";

/** A pod that is still there so long after its deletion was due is on a node that does not respond. */
const LOST_AFTER_MS = 60_000;
/** Of containers whose end the kubelet has not seen. */
const UNKNOWN_END = "ContainerStatusUnknown";
const ENDED_PHASES = new Set(["Succeeded", "Failed"]);

/**
 * What a pod's status says about its workload. A workload that ran and whose end was not reported is
 * `supervisor_lost`: its node was deleted, or has not responded since its deletion was due.
 */
export function observationOf(pod: PodWire | undefined, now: Date): Observation {
  if (!pod) return { state: "absent" };
  const state = workloadOf(pod)?.state ?? {};
  const { terminated, running } = state;
  if (terminated && terminated.reason !== UNKNOWN_END && terminated.startedAt) return exitedOf(terminated, now);
  if (isLost(pod, now)) return lostOf(running?.startedAt ?? terminated?.startedAt, terminated?.finishedAt ?? now);
  if (running) return { state: "running", startedAt: new Date(running.startedAt) };
  return { state: "preparing" };
}

export const workloadOf = (pod: PodWire): ContainerWire | undefined =>
  pod.status?.containerStatuses?.find(({ name }) => name === WORKLOAD_CONTAINER);

type Terminated = NonNullable<NonNullable<ContainerWire["state"]>["terminated"]>;

function exitedOf({ exitCode, signal, reason, startedAt, finishedAt }: Terminated, now: Date): Exited {
  const exitedAt = finishedAt ? new Date(finishedAt) : now;
  return {
    state: "exited",
    ...exitOf(exitCode, signal),
    oomKilled: reason === "OOMKilled",
    startedAt: startedAt ? new Date(startedAt) : exitedAt,
    exitedAt,
    cause: "exit",
  };
}

function isLost({ metadata, status }: PodWire, now: Date): boolean {
  if (status?.reason === "NodeLost" || ENDED_PHASES.has(status?.phase ?? "")) return true;
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined && now.getTime() - Date.parse(deletionTimestamp) > LOST_AFTER_MS;
}

function lostOf(startedAt: string | null | undefined, noticedAt: string | Date): Exited {
  const exitedAt = new Date(noticedAt);
  return {
    state: "exited",
    exitCode: null,
    signal: null,
    oomKilled: false,
    cause: "supervisor_lost",
    startedAt: startedAt ? new Date(startedAt) : exitedAt,
    exitedAt,
  };
}
