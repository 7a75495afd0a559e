import { z } from "zod";
import { type EventKind, eventKind } from "../../identity/events/event-kind";
import { EdgeFunction } from "./edge-function";
import { edgeExample, publishedExample } from "./edge-function.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const EdgeFunctionData = EdgeFunction.extend({});

export const edgeFunctionCreated = eventKind({
  type: "edge_function.created",
  description: "An edge function was created, as a draft.",
  data: EdgeFunctionData,
  example: edgeExample,
});

export const edgeFunctionUpdated = eventKind({
  type: "edge_function.updated",
  description: "The name or the draft of an edge function changed; the published version serves as before.",
  data: EdgeFunctionData.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...edgeExample, version: 2, changed: ["version"] },
});

export const edgeFunctionPublished = eventKind({
  type: "edge_function.published",
  description: "Another version of an edge function serves from now on: its draft, or an earlier one again.",
  data: EdgeFunctionData,
  example: publishedExample,
});

export const edgeFunctionDeleted = eventKind({
  type: "edge_function.deleted",
  description: "An edge function was deleted with its versions; its host does not respond any more.",
  data: EdgeFunctionData,
  example: publishedExample,
});

export const edgeFunctionEventKinds: readonly EventKind[] = [
  edgeFunctionCreated,
  edgeFunctionUpdated,
  edgeFunctionPublished,
  edgeFunctionDeleted,
];
