import { z } from "zod";
import type { GpuNode, GpuNodeEvent, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import {
  type ChangedNode,
  changeNode,
  type NodeName,
  type NodeState,
  stateWithoutCordon,
  upgradeOf,
} from "./change-node";
import { NodeText } from "./cordon-node";
import { decideHealth, FLAPPING_MS, type HealthDecision, NODE_SEVERITIES } from "./node-health";

/** How many events of a node and a severity are kept, so that frequent ones do not displace those that cordon. */
const EVENTS_KEPT = 50;

export const RecordNodeHealth = z.strictObject({
  pool: z.string(),
  node: z.string(),
  severity: z.enum(NODE_SEVERITIES),
  kind: z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/),
  message: NodeText,
});
type RecordNodeHealth = z.output<typeof RecordNodeHealth>;

type NewEvent = Pick<GpuNodeEvent, "pool" | "node" | "severity" | "kind" | "message" | "at">;

/**
 * Records a health event of a node and, in the same transaction, cordons and drains or uncordons it as `decideHealth` says; the
 * sentence says what was decided. Throws `not_found`.
 */
export async function recordNodeHealth(
  { db, clock }: { db: PrismaClient; clock: Clock },
  { pool, node, ...reported }: RecordNodeHealth,
): Promise<ChangedNode & { sentence: string }> {
  let sentence = "";
  const changed = await changeNode({ db }, { pool, node }, async (tx, before) => {
    const event = { pool, node, ...reported, at: clock.now() };
    const crits = await critsSince(tx, event, new Date(event.at.getTime() - FLAPPING_MS));
    await addEvent(tx, event);
    const decision = decideHealth({ cordonedBy: cordonedBy(before), flaps: before.flaps, crits }, event);
    sentence = decision.sentence;
    return stateAfter(before, { decision, event });
  });
  return { ...changed, sentence };
}

const cordonedBy = ({ cordonedAt, cordonSource }: GpuNode) => cordonedAt && (cordonSource ?? "operator");

function stateAfter(before: GpuNode, { decision, event }: { decision: HealthDecision; event: NewEvent }): NodeState {
  const { cordonedBy: source, flaps } = decision;
  if (source === null) return stateWithoutCordon(before);
  if (source === "operator" || event.severity !== "crit") return before;
  const reason = `${event.kind}: ${event.message}`;
  return {
    cordonedAt: before.cordonedAt ?? event.at,
    cordonReason: reason,
    cordonSource: source,
    cordonRid: null,
    drains: true,
    flaps,
    ...upgradeOf(before),
  };
}

async function critsSince(tx: Prisma.TransactionClient, { pool, node }: NodeName, since: Date): Promise<Date[]> {
  const where = { pool, node, severity: "crit" as const, at: { gt: since } };
  return (await tx.gpuNodeEvent.findMany({ where, select: { at: true } })).map(({ at }) => at);
}

/** The pool of the node is locked. */
async function addEvent(tx: Prisma.TransactionClient, event: NewEvent): Promise<void> {
  const { pool, node, severity } = event;
  const last = await tx.gpuNodeEvent.aggregate({ where: { pool, node }, _max: { number: true } });
  await tx.gpuNodeEvent.create({ data: { ...event, number: (last._max.number ?? 0) + 1 } });
  const [displaced] = await tx.gpuNodeEvent.findMany({
    where: { pool, node, severity },
    orderBy: { number: "desc" },
    skip: EVENTS_KEPT,
    take: 1,
    select: { number: true },
  });
  if (!displaced) return;
  await tx.gpuNodeEvent.deleteMany({ where: { pool, node, severity, number: { lte: displaced.number } } });
}
