import { z } from "zod";
import { type EventKind, eventKind } from "../../identity/events/event-kind";
import { CloudFunction } from "./function";
import { functionExample } from "./function.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const FunctionData = CloudFunction.extend({});

export const functionCreated = eventKind({
  type: "function.created",
  description: "A function was created.",
  data: FunctionData,
  example: functionExample,
});

export const functionDeployed = eventKind({
  type: "function.deployed",
  description: "Another version of a function is called from now on: a new one, or an earlier one again.",
  data: FunctionData,
  example: { ...functionExample, version: 2 },
});

export const functionUpdated = eventKind({
  type: "function.updated",
  description: "The settings of a function changed.",
  data: FunctionData.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...functionExample, timeout_ms: 20_000, changed: ["timeout_ms"] },
});

export const functionDeleted = eventKind({
  type: "function.deleted",
  description: "A function was deleted with its versions.",
  data: FunctionData,
  example: functionExample,
});

export const functionEventKinds: readonly EventKind[] = [
  functionCreated,
  functionDeployed,
  functionUpdated,
  functionDeleted,
];
