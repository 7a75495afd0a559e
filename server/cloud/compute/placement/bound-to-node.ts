import type { Blocked } from "./choose-node";

/** A pod, as far as what it has attached binds it to a node. */
export interface BoundToNode {
  /** null: it may run on any. */
  requiredNodeId: string | null;
}

export const isAllowedOn = ({ requiredNodeId }: BoundToNode, nodeId: string): boolean =>
  requiredNodeId === null || requiredNodeId === nodeId;

/** The reason why a pod that is bound to a node waits even if other nodes have room; `able`: the nodes that could run it. */
export const boundWait = ({ requiredNodeId }: BoundToNode, able: readonly object[]): Blocked | undefined =>
  requiredNodeId !== null && able.length === 0 ? NODE_AWAY : undefined;

const NODE_AWAY: Blocked = {
  code: "node_away",
  message:
    "What is attached to the pod is on one node, which does not report at present or cannot run this pod. It waits for that node.",
};
