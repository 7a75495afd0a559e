/** Between the notice of a pod and its end: the specification's "Spot reclaim notice". */
export const NOTICE_MS = 30_000;

/** Between the stop signal and SIGKILL. */
export const GRACE_SECONDS = 30;
