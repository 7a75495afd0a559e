import type { LinkAccess } from "../../../engines/runtime/remote/serve-runtime";
import { deriveSubkey } from "../../../kernel/secrets";

export interface NodeRef {
  /** Of the node. */
  id: string;
  /** How often it has joined; 0: a process of svc runs its workloads itself. */
  generation: number;
}

/** How a process of svc identifies itself to the process that runs a node's workloads. */
export const nodeIdentity = (access: LinkAccess, { id, generation }: NodeRef): string =>
  `${access} ${id} ${generation}`;

/** The key of an identity: all processes of svc derive it, and a node that joined was given its own two. */
export const nodeKey = (nodesKey: Buffer, identity: string): Buffer => deriveSubkey(nodesKey, identity);
