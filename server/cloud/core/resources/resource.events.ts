import { type EventKind, eventKind } from "../../../identity/events/event-kind";
import { Resource } from "./resource";
import { newResourceExample, resourceExample } from "./resource.example";
import type { ResourceState } from "./resource-states";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const ResourceData = Resource.extend({});

const kind = (type: string, description: string, example: Resource) =>
  eventKind({ type, description, data: ResourceData, example });

const without = { provisioned: false, endpoints: [], try_it: [] };
const failed = { code: "unavailable", message: "No machine runs pods." };

export const resourceCreated = kind("resource.created", "A resource was created.", newResourceExample);
export const resourceUpdated = kind("resource.updated", "The spec of a resource was changed.", {
  ...newResourceExample,
  generation: 2,
});
export const resourceReady = kind("resource.ready", "The effect of a resource exists.", resourceExample);
export const resourceFailed = kind("resource.failed", "A resource could not be provisioned; svc tries again.", {
  ...newResourceExample,
  ...without,
  state: "failed",
  reason: failed,
});
export const resourceDegraded = kind(
  "resource.degraded",
  "The effect of a resource is missing or faulty; svc repairs it.",
  { ...resourceExample, state: "degraded", reason: { code: "absent", message: "Its effect is gone." } },
);
export const resourceSuspended = kind(
  "resource.suspended",
  "A resource is not in use any more, because its service was deactivated.",
  {
    ...resourceExample,
    ...without,
    state: "suspended",
    reason: { code: "not_activated", message: "The service object is not activated." },
  },
);
export const resourceDeleted = kind("resource.deleted", "A resource was deleted, and nothing is left of its effect.", {
  ...resourceExample,
  ...without,
  state: "deleted",
});

/** The event of a new state; undefined: there is none. */
export const EVENT_OF_STATE: Readonly<Partial<Record<ResourceState, EventKind<typeof ResourceData>>>> = {
  ready: resourceReady,
  failed: resourceFailed,
  degraded: resourceDegraded,
  suspended: resourceSuspended,
  deleted: resourceDeleted,
};

export const resourceEventKinds: readonly EventKind[] = [
  resourceCreated,
  resourceUpdated,
  resourceReady,
  resourceFailed,
  resourceDegraded,
  resourceSuspended,
  resourceDeleted,
];
