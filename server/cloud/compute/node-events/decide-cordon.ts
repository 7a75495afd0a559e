import type { CordonedBy } from "../pools/node-health";
import type { NodeEvent } from "./node-event";

/** Within an hour, the events of a tenant cordon one node at most so often, and all of its nodes; the numbers are ours. */
export const CORDONS_OF_NODE_MAX = 3;
export const CORDONS_MAX = 5;
export const CORDONS_MS = 3600 * 1000;
/** The cordon of an event ends at the latest after so long. */
export const HOLD_MS = 10 * 60 * 1000;

export interface ReportedNode {
  cordonedBy: CordonedBy;
  /** Cordons by events of the tenant in the last hour: of this node, and of all. */
  ownCordons: { ofNode: number; ofAll: number };
}

export interface CordonDecision {
  cordons: boolean;
  outcome: string;
}

const TEXTS: Readonly<Record<Exclude<CordonedBy, null>, string>> = {
  operator: "It was recorded. The node was cordoned already, by an operator.",
  health: "It was recorded. The node was cordoned already, for its health.",
  upgrade: "It was recorded. The node was cordoned already, for its upgrade.",
  tenant: "It was recorded. The node was cordoned already, after an earlier event.",
};

/**
 * What an event that a tenant reports does to its node. A critical one cordons it, unless that has happened so often that the
 * node flaps, or that too many nodes would be kept from others.
 */
export function decideCordon(node: ReportedNode, severity: NodeEvent["severity"]): CordonDecision {
  if (severity !== "crit") return recorded("It was recorded. Only crit cordons a node.");
  if (node.cordonedBy !== null) return recorded(TEXTS[node.cordonedBy]);
  if (node.ownCordons.ofNode >= CORDONS_OF_NODE_MAX)
    return recorded(
      `It was recorded. The node flaps: your events cordoned it ${CORDONS_OF_NODE_MAX} times within an hour, so this one does not. Delete the instance, or ask the operators.`,
    );
  if (node.ownCordons.ofAll >= CORDONS_MAX)
    return recorded(
      `It was recorded. Your events cordoned nodes ${CORDONS_MAX} times within an hour, so this one does not.`,
    );
  const outcome =
    "The node is cordoned and drained: the instance has 30 seconds to end and continues elsewhere. The cordon ends then, or after 10 minutes.";
  return { cordons: true, outcome };
}

const recorded = (outcome: string): CordonDecision => ({ cordons: false, outcome });
