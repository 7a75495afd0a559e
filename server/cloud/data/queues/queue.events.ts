import { z } from "zod";
import { type EventKind, eventKind, eventsOf } from "../../../operation/event-kind";
import { Queue } from "./queue";
import { queueExample } from "./queue.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const QueueFields = Queue.extend({});

const eventOf = eventsOf(QueueFields, queueExample);

export const queueCreated = eventOf("queue.created", "A queue was created.");

export const queueUpdated = eventKind({
  type: "queue.updated",
  description: "The settings of a queue changed.",
  data: QueueFields.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...queueExample, changed: ["max_receives"] },
});

export const queueDeleted = eventOf("queue.deleted", "A queue was deleted with its messages.");

export const queuePurged = eventKind({
  type: "queue.purged",
  description: "All messages of a queue were deleted.",
  data: QueueFields.extend({ purged: z.int().describe("The number of deleted messages") }),
  example: { ...queueExample, purged: 1200 },
});

export const queueEventKinds: readonly EventKind[] = [queueCreated, queueUpdated, queueDeleted, queuePurged];
