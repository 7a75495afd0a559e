import { createHash } from "node:crypto";

export const SVC_NODE_LABEL = "svc/node";
export const WORKLOAD_LABEL = "svc/workload";
/** The id of an allocation, which is not always a valid value of a label. */
export const ID_ANNOTATION = "svc/allocation";
/** Keeps a deleted pod, with the status of its containers, until svc has read how it ended. */
export const FINALIZER = "svc/keep";
export const WORKLOAD_CONTAINER = "workload";
export const AGENT_CONTAINER = "svc-agent";

const SLUG_CHARS = 40;
const HASH_CHARS = 12;

/**
 * The name of the pod of an allocation: a DNS label that differs for different nodes and ids, and is always the same
 * for the same ones.
 */
export function podNameOf(nodeId: string, id: string): string {
  const slug = id.replaceAll("_", "-").slice(0, SLUG_CHARS).replace(/-+$/, "");
  return `${slug}-${hashOf(`${nodeId}\n${id}`)}`;
}

/** Names of the Secrets of a pod: its environment, and the credentials of its image. */
export const secretNamesOf = (podName: string) => ({ env: `${podName}-env`, pull: `${podName}-pull` });

/** The value of the label that separates the workloads of several installations in one namespace. */
export const svcNodeLabelOf = (nodeId: string): string => hashOf(nodeId);

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
