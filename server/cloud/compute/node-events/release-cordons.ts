import { type Mode, Prisma, type PrismaClient } from "../../../engines/postgres/generated/client";
import { appendAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { Clock } from "../../../kernel/clock";
import { changeNodeIn, stateWithoutCordon } from "../pools/change-node";
import { nodeNameOf } from "../pools/own-nodes.sql";
import { HOLD_MS } from "./decide-cordon";
import { nodeTarget } from "./node-event";
import { type NodeOpened, nodeUncordoned } from "./node-event.events";

export interface ReleaseCordons {
  db: PrismaClient;
  clock: Clock;
}

interface OverCordon {
  pool: string;
  node: string;
  rid: string;
  reason: NodeOpened["reason"];
  tenantId: string;
  projectId: string;
  mode: Mode;
}

/**
 * Ends cordons of tenants whose instance has left the node, those that last too long, and those of a service that is not
 * activated any more, so that no tenant keeps nodes from others.
 */
export async function releaseCordons({ db, clock }: ReleaseCordons): Promise<void> {
  for (const { pool, node } of await overCordons(db, clock.now())) {
    await db.$transaction(async (tx) => {
      let over: OverCordon | undefined;
      await changeNodeIn(tx, { pool, node }, async (before) => {
        [over] = await overCordons(tx, clock.now(), { pool, node });
        return over ? stateWithoutCordon(before) : before;
      });
      if (over) await announce(tx, over, clock.now());
    });
  }
}

/** An instance needs the cordon while it runs on the node, and until it runs elsewhere. */
function overCordons(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  now: Date,
  one?: { pool: string; node: string },
): Promise<OverCordon[]> {
  const until = new Date(now.getTime() - HOLD_MS);
  const only = one ? Prisma.sql`AND n.pool = ${one.pool} AND n.node = ${one.node}` : Prisma.empty;
  return db.$queryRaw`
    SELECT * FROM (
      SELECT n.pool, n.node, s.id AS rid, s.tenant_id AS "tenantId", s.project_id AS "projectId", s.mode::text AS mode,
        CASE
          WHEN NOT EXISTS (
            SELECT FROM pods p JOIN pod_runs r ON r.pod_id = p.id AND r.number = p.run_number AND r.ended_at IS NULL
            WHERE p.resource_id = s.id AND p.deleted_at IS NULL
              AND ((r.pool = n.pool AND r.node = n.node) OR (r.node_id IS NULL AND p.status = 'pending'))
          ) THEN 'instance_left'
          WHEN n.cordoned_at <= ${until} THEN 'held_too_long'
          WHEN NOT EXISTS (
            SELECT FROM activations a WHERE a.tenant_id = s.tenant_id AND a.mode = s.mode AND a.plane = 'gpuc'
              AND a.service = 'nlc' AND a.ended_at IS NULL
          ) THEN 'not_activated'
        END AS reason
      FROM gpu_nodes n JOIN resources s ON s.id = n.cordon_rid
      WHERE n.cordon_source = 'tenant' ${only}
    ) AS held WHERE reason IS NOT NULL`;
}

async function announce(
  tx: Prisma.TransactionClient,
  { tenantId, projectId, mode, rid, reason, ...node }: OverCordon,
  at: Date,
): Promise<void> {
  const data: NodeOpened = { node_name: nodeNameOf(node), rid, reason };
  const origin = { tenantId, at, actor: { type: "system" }, request: undefined } as const;
  await appendAudit(tx, origin, {
    action: "node.uncordoned",
    targets: [nodeTarget(node)],
    details: { rid, reason },
    events: [newEvent(nodeUncordoned, data, { projectId, mode })],
  });
}
