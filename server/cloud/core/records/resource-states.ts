export const RESOURCE_STATES = [
  "provisioning",
  "ready",
  "degraded",
  "failed",
  "suspended",
  "deleting",
  "deleted",
  "placeholder",
] as const;
export type ResourceState = (typeof RESOURCE_STATES)[number];

/** A change is followed by the process that made it; if it does not, another one does after so long. */
const HANDOVER_MS = 6000;

/** When a resource that was changed now is due for other processes. */
export const dueAfterChange = (now: Date): Date => new Date(now.getTime() + HANDOVER_MS);

export const STATES_TEXT =
  "A resource is `provisioning` until its effect is as its spec says, then `ready`. It is `degraded` when its effect is missing, which is provisioned again, faulty, or changes from outside, and `failed` when it could not be provisioned, which is tried again, or was faulty from the start; the `reason` says why. It is `suspended` while its service is not activated, and `deleting` until its effect is gone. A `placeholder` has no effect: its `reason` says what is missing, and its `plan` what would be done.";
