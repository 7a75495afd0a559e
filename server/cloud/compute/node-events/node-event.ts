import { z } from "zod";
import type { NodeEvent as NodeEventRow } from "../../../engines/postgres/generated/client";
import type { AuditTarget } from "../../../identity/audit/record-audit";
import type { Json } from "../../../identity/stored-json";
import { ModeName } from "../../../identity/wire-text";
import { toWire } from "../../../kernel/to-wire";
import { nodeNameOf } from "../pools/own-nodes.sql";

export const NODE_EVENT_ID_PREFIX = "nev";

/** Those of the specification. */
export const REPORTED_SEVERITIES = ["info", "warn", "crit"] as const;

export const NodeEvent = z
  .object({
    id: z.string(),
    project_id: z.string(),
    mode: ModeName,
    node_name: z.string().describe("`<region>/<gpu>/<node>`"),
    rid: z.string().describe("The baremetal instance that had the node"),
    signal: z.string(),
    severity: z.enum(REPORTED_SEVERITIES),
    details: z.record(z.string(), z.unknown()),
    cordoned: z.boolean().describe("It cordoned the node, which gets no new instances until this one runs elsewhere"),
    outcome: z.string().describe("What was decided, for people"),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "NodeEvent" });
export type NodeEvent = z.infer<typeof NodeEvent>;

export const toNodeEvent = (row: NodeEventRow): NodeEvent =>
  toWire(NodeEvent, row, {
    node_name: nodeNameOf(row),
    rid: row.resourceId,
    severity: row.severity as NodeEvent["severity"],
    details: row.details as Record<string, Json>,
  });

/** A node in the audit log, where the name of an own node is its id. */
export const nodeTarget = (node: Parameters<typeof nodeNameOf>[0]): AuditTarget => ({
  type: "node",
  id: nodeNameOf(node),
  name: node.node,
});
