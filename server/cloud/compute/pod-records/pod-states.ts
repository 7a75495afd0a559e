export const POD_STATUSES = ["pending", "ready", "reclaiming", "stopping", "stopped", "completed", "failed"] as const;
export type PodStatus = (typeof POD_STATUSES)[number];

/**
 * Every change of a pod's status: cause, status before, status after. What is not in the table does not happen.
 * `stop` is a request, or the end of the pod's lifetime. However a run ends after its notice, it counts as reclaimed.
 */
export const POD_TRANSITIONS = {
  /** The process of the image runs. */
  run: { pending: "ready" },
  stop: { pending: "stopping", ready: "stopping", reclaiming: "stopping" },
  /** The GPUs of a spot pod are needed, its reclaim is rehearsed, or the node of any pod is drained: it is given notice. */
  reclaim: { ready: "reclaiming" },
  /** The run has ended after its notice, or before its process ran, and the pod waits for capacity again. */
  requeue: { pending: "pending", reclaiming: "pending" },
  /** A pod that is to stop, or was given notice, has ended, regardless of its exit code. */
  end: { reclaiming: "stopped", stopping: "stopped" },
  /** The process ended by itself with exit code 0. */
  complete: { ready: "completed" },
  /** The process ended by itself in another way, was lost, or could not be started. */
  fail: { pending: "failed", ready: "failed" },
  start: { stopped: "pending", completed: "pending", failed: "pending" },
} as const satisfies Record<string, Partial<Record<PodStatus, PodStatus>>>;
export type PodCause = keyof typeof POD_TRANSITIONS;

/** The status after a cause; undefined if the cause does not apply in this status. */
export const nextStatus = (status: PodStatus, cause: PodCause): PodStatus | undefined =>
  (POD_TRANSITIONS[cause] as Partial<Record<PodStatus, PodStatus>>)[status];

/** Whether a pod has a run that has not ended. */
export const isActive = (status: PodStatus): boolean =>
  status === "pending" || status === "ready" || status === "reclaiming" || status === "stopping";

/** The table in words, for the documentation of operations. */
export const STATES_TEXT =
  "A pod is `pending` until its process runs (`ready`). `POST …/stop` makes it `stopping` and, when all its processes have ended, `stopped`. By itself it becomes `completed` (exit code 0) or `failed` (another end, or it could not be started). A spot pod whose GPUs are needed, and any pod whose node is drained for maintenance, is `reclaiming` for 30 seconds; its processes have received the stop signal, and those that run after the 30 seconds are killed. It is then `pending` again, but a spot pod without `auto_resume` is `stopped`. From `stopped`, `completed` and `failed` it can be started again.";

/** Whether a pod waits for capacity again after a notice: a pod that is not spot always does. */
export const isRequeuedAfterNotice = ({ spot, autoResume }: { spot: boolean; autoResume: boolean }): boolean =>
  !spot || autoResume;
