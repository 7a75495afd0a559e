import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Resource } from "./resource";
import { newResourceExample } from "./resource.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const ResourceData = Resource.extend({});

export type ResourceEvent = EventKind<typeof ResourceData>;

/** A kind of event whose data is a resource. */
export const resourceEvent = (type: string, description: string, example: Resource) =>
  eventKind({ type, description, data: ResourceData, example });

export const resourceCreated = resourceEvent("resource.created", "A resource was created.", newResourceExample);
export const resourceUpdated = resourceEvent("resource.updated", "The spec of a resource was changed.", {
  ...newResourceExample,
  generation: 2,
});

export const resourceEventKinds: readonly ResourceEvent[] = [resourceCreated, resourceUpdated];
