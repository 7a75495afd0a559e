import type { EventKind } from "../../../operation/event-kind";
import { EXAMPLE_LATER } from "../../../operation/example";
import { podCreated, podDeleted, podEvent } from "./pod.events";
import { endedPodExample, podExample } from "./pod.example";

export const podReady = podEvent("pod.ready", "The process of a pod runs.", { ...endedPodExample, ...running() });
export const podReclaimAnnounced = podEvent(
  "pod.reclaim_announced",
  "A spot pod, or a pod whose node is drained, was given notice: it is ended 30 seconds later. `reclaim.ends_at` has the time.",
  {
    ...endedPodExample,
    ...running(),
    spot: true,
    status: "reclaiming",
    reclaim: { notice_at: EXAMPLE_LATER, ends_at: new Date(Date.parse(EXAMPLE_LATER) + 30_000).toISOString() },
    status_reason: { code: "capacity_needed", message: "An on-demand pod needs its GPUs." },
  },
);
export const podReclaimed = podEvent(
  "pod.reclaimed",
  "The run of a pod has ended after its notice. The pod is pending again; a spot pod without `auto_resume` is stopped.",
  {
    ...endedPodExample,
    spot: true,
    auto_resume: true,
    status: "pending",
    exit: null,
    runs: 2,
    started_at: null,
    stopped_at: null,
    status_reason: { code: "spot_reclaimed", message: "Its GPUs were needed; its files are kept." },
  },
);
export const podStopped = podEvent("pod.stopped", "All processes of a pod that was to stop have ended.", {
  ...endedPodExample,
  status: "stopped",
  exit: { code: null, signal: "SIGTERM", oom_killed: false },
  status_reason: { code: "stop_requested", message: "It was stopped by a request." },
});
export const podCompleted = podEvent("pod.completed", "The process of a pod ended by itself with exit code 0.");
export const podFailed = podEvent("pod.failed", "The process of a pod failed, was lost, or could not be started.", {
  ...endedPodExample,
  status: "failed",
  exit: { code: 1, signal: null, oom_killed: false },
  status_reason: { code: "exit_code", message: "The process ended with exit code 1." },
});
/** All kinds of events of pods. */
export const podEventKinds: readonly EventKind[] = [
  podCreated,
  podReady,
  podReclaimAnnounced,
  podReclaimed,
  podStopped,
  podCompleted,
  podFailed,
  podDeleted,
];

function running() {
  return { status: "ready" as const, allocation: podExample.allocation, exit: null, stopped_at: null };
}
