import { z } from "zod";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { type ChangedNode, changeNode, upgradeOf } from "./change-node";

const REASON_MAX = 500;

export const NodeText = z.string().trim().min(1).max(REASON_MAX);

export const CordonNode = z.strictObject({
  pool: z.string(),
  node: z.string(),
  reason: NodeText,
  /** Whether what runs on it is to end as well. */
  drains: z.boolean(),
});

/**
 * Lets a node accept no new pods; those that run on it stay, unless it drains. Only an operator ends the cordon. A node
 * that drains goes on with that. Throws `not_found`.
 */
export const cordonNode = (
  { db, clock }: { db: PrismaClient; clock: Clock },
  { pool, node, reason, drains }: z.output<typeof CordonNode>,
): Promise<ChangedNode> =>
  changeNode({ db }, { pool, node }, (_tx, before) => ({
    cordonedAt: before.cordonedAt ?? clock.now(),
    cordonReason: reason,
    cordonSource: "operator",
    cordonRid: null,
    drains: before.drains || drains,
    flaps: before.flaps,
    ...upgradeOf(before),
  }));
