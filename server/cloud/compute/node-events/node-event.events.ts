import { z } from "zod";
import { type EventKind, eventKind } from "../../../operation/event-kind";
import { NodeEvent } from "./node-event";
import { nodeEventExample } from "./node-event.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const NodeEventData = NodeEvent.extend({});

const NodeOpened = z.object({
  node_name: z.string(),
  rid: z.string(),
  reason: z.enum(["instance_left", "held_too_long", "not_activated"]),
});
export type NodeOpened = z.infer<typeof NodeOpened>;

export const nodeHealthEvent = eventKind({
  type: "node.health_event",
  description: "A health event of a node was reported.",
  data: NodeEventData,
  example: { ...nodeEventExample, severity: "warn", cordoned: false, outcome: "It was recorded." },
});

export const nodeCordoned = eventKind({
  type: "node.cordoned",
  description: "A critical health event cordoned a node: what runs on it has notice and continues elsewhere.",
  data: NodeEventData,
  example: nodeEventExample,
});

export const nodeUncordoned = eventKind({
  type: "node.uncordoned",
  description: "The cordon of a critical health event has ended.",
  data: NodeOpened,
  example: { node_name: nodeEventExample.node_name, rid: nodeEventExample.rid, reason: "instance_left" },
});

export const nodeEventKinds: readonly EventKind[] = [nodeHealthEvent, nodeCordoned, nodeUncordoned];
