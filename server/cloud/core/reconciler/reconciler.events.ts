import { type ResourceEvent, resourceEvent } from "../records/resource.events";
import { newResourceExample, resourceExample } from "../records/resource.example";
import type { ResourceState } from "../records/resource-states";

const without = { provisioned: false, endpoints: [], try_it: [] };
const failed = { code: "unavailable", message: "No node runs pods." };

export const resourceReady = resourceEvent("resource.ready", "The effect of a resource exists.", resourceExample);
const resourceFailed = resourceEvent("resource.failed", "A resource could not be provisioned; svc tries again.", {
  ...newResourceExample,
  ...without,
  state: "failed",
  reason: failed,
});
const resourceDegraded = resourceEvent(
  "resource.degraded",
  "The effect of a resource is missing or faulty; svc repairs it.",
  { ...resourceExample, state: "degraded", reason: { code: "absent", message: "Its effect is gone." } },
);
const resourceSuspended = resourceEvent(
  "resource.suspended",
  "A resource is not in use any more, because its service was deactivated.",
  {
    ...resourceExample,
    ...without,
    state: "suspended",
    reason: { code: "not_activated", message: "The service object is not activated." },
  },
);
const resourceDeleted = resourceEvent(
  "resource.deleted",
  "A resource was deleted, and nothing is left of its effect.",
  {
    ...resourceExample,
    ...without,
    state: "deleted",
  },
);

/** The event of a new state; undefined: there is none. */
export const EVENT_OF_STATE: Readonly<Partial<Record<ResourceState, ResourceEvent>>> = {
  ready: resourceReady,
  failed: resourceFailed,
  degraded: resourceDegraded,
  suspended: resourceSuspended,
  deleted: resourceDeleted,
};

export const reconcilerEventKinds: readonly ResourceEvent[] = [
  resourceReady,
  resourceFailed,
  resourceDegraded,
  resourceSuspended,
  resourceDeleted,
];
