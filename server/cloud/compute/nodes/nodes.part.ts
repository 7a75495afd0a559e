import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { deriveKey } from "../../../kernel/secrets";
import { type JoinNode, joinNode, type NodeMembership } from "./join-node";

interface Needs {
  db: PrismaClient;
  clock: Clock;
  /** SVC_SECRET. */
  secret: string;
}

interface Gives {
  /** Adds a node that runs pods. */
  joinNode: (input: JoinNode) => Promise<NodeMembership>;
}

export const nodesPart: Part<Needs, Gives> = {
  name: "nodes",
  start: ({ db, clock, secret }) => ({
    gives: { joinNode: (input) => joinNode({ db, clock, nodesKey: deriveKey(secret, "nodes") }, input) },
  }),
};
