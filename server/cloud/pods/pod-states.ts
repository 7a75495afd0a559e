export const POD_STATUSES = ["pending", "ready", "stopping", "stopped", "completed", "failed"] as const;
export type PodStatus = (typeof POD_STATUSES)[number];

/**
 * Every change of a pod's status: cause, status before, status after. What is not in the table does not happen.
 * `stop` is a request, or the end of the pod's lifetime.
 */
export const POD_TRANSITIONS = {
  /** The process of the image runs. */
  run: { pending: "ready" },
  stop: { pending: "stopping", ready: "stopping" },
  /** A pod that is to stop has ended, whatever its exit code is. */
  end: { stopping: "stopped" },
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
  status === "pending" || status === "ready" || status === "stopping";

/** The table in words, for the documentation of operations. */
export const STATES_TEXT =
  "A pod is `pending` until its process runs (`ready`). `POST …/stop` makes it `stopping` and, when all its processes have ended, `stopped`. By itself it becomes `completed` (exit code 0) or `failed` (another end, or it could not be started). From `stopped`, `completed` and `failed` it can be started again.";
