import { z } from "zod";
import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Queue } from "./queue";
import { queueExample } from "./queue.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const QueueFields = Queue.extend({});

export const queueCreated = eventKind({
  type: "queue.created",
  description: "A queue was created.",
  data: QueueFields,
  example: queueExample,
});

export const queueUpdated = eventKind({
  type: "queue.updated",
  description: "The settings of a queue changed.",
  data: QueueFields.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...queueExample, changed: ["max_receives"] },
});

export const queueDeleted = eventKind({
  type: "queue.deleted",
  description: "A queue was deleted with its messages.",
  data: QueueFields,
  example: queueExample,
});

export const queuePurged = eventKind({
  type: "queue.purged",
  description: "All messages of a queue were deleted.",
  data: QueueFields.extend({ purged: z.int().describe("The number of deleted messages") }),
  example: { ...queueExample, purged: 1200 },
});

export const queueEventKinds: readonly EventKind[] = [queueCreated, queueUpdated, queueDeleted, queuePurged];
