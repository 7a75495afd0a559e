import { z } from "zod";
import type { GpuNode, NodeEvent as NodeEventRow, Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { storedJson } from "../../../identity/stored-json";
import { findExactNumber } from "../../../kernel/find-exact-number";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { requireActive } from "../../core/planes/require-active";
import { changeNodeIn, type NodeState, upgradeOf } from "../pools/change-node";
import type { OwnNode, OwnNodesOf } from "../pools/own-nodes.sql";
import { lockPool } from "../pools/pools.sql";
import { CORDONS_MAX, CORDONS_OF_NODE_MAX, type CordonDecision, decideCordon } from "./decide-cordon";
import { findOwnNode } from "./find-own-node";
import { keepNewest, ownCordons } from "./kept-events";
import { NODE_EVENT_ID_PREFIX, NodeEvent, nodeTarget, REPORTED_SEVERITIES, toNodeEvent } from "./node-event";
import { nodeCordoned, nodeHealthEvent } from "./node-event.events";
import { nodeEventExample } from "./node-event.example";

const NAME_LENGTH_MAX = 200;
const DETAILS_BYTES_MAX = 4096;

const NOT_EXACT = "expected a number that a double holds exactly; send it as text";

export const ReportNodeEvent = z.strictObject({
  node_name: z
    .string()
    .min(1)
    .max(NAME_LENGTH_MAX)
    .describe(
      "A node that a baremetal instance has for itself: `use/h100/h100-3`, or `h100-3` if only one has that name",
    ),
  signal: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_.-]{0,63}$/,
      "expected 1 to 64 of a to z, 0 to 9, _ . and -, not beginning with _ . or -, such as xid_79",
    )
    .describe("What happened, such as xid_79"),
  severity: z.enum(REPORTED_SEVERITIES).describe("crit cordons and drains the node"),
  details: z
    .record(z.string(), z.unknown())
    .refine(
      (details) => Buffer.byteLength(JSON.stringify(details)) <= DETAILS_BYTES_MAX,
      `expected at most ${DETAILS_BYTES_MAX} bytes of JSON`,
    )
    .superRefine((details, { addIssue }) => {
      const found = findExactNumber(details);
      if (found) addIssue({ code: "custom", path: found.path, message: NOT_EXACT, input: details });
    })
    .default({})
    .describe(`At most ${DETAILS_BYTES_MAX} bytes of JSON, which only your tenant can read`),
  mode: ownerFields.mode,
});
type ReportNodeEvent = z.output<typeof ReportNodeEvent>;

/** Records a health event of a node. Throws `conflict` if nlc is not activated, and `not_found` for a node of others. */
export const reportNodeEvent = operation({
  id: "reportNodeEvent",
  summary: "Report a health event of a node",
  description: `Of a node that a running baremetal instance of yours has for itself; 404 lists them. \`crit\` cordons the node in the same transaction and drains it: the instance has 30 seconds to end and continues with its files on another node. The cordon ends when it runs there, is stopped or deleted, and after 10 minutes. Within an hour, events cordon the same node ${CORDONS_OF_NODE_MAX} times and all nodes ${CORDONS_MAX} times; further ones are only recorded. 409 with the reason \`not_activated\` unless the service nlc is activated.`,
  access: "gpuc:write",
  idempotent: true,
  result: "created",
  input: ReportNodeEvent,
  output: NodeEvent,
  example: {
    input: { node_name: "h100-3", signal: "xid_79", severity: "crit" as const, details: { device: 5 } },
    output: nodeEventExample,
  },
  run: (ctx: ActorCtx, input) => ctx.db.$transaction((tx) => record(tx, ctx, input)),
});

async function record(tx: Prisma.TransactionClient, ctx: ActorCtx, input: ReportNodeEvent): Promise<NodeEvent> {
  const { actor, clock } = ctx;
  const mode = modeOf(actor, input.mode);
  await requireActive(tx, { tenantId: actor.tenantId, mode, plane: "gpuc", service: "nlc" });
  const of: OwnNodesOf = {
    tenantId: actor.tenantId,
    mode,
    projectId: actor.kind === "key" ? actor.projectId : undefined,
  };
  const { pool } = await findOwnNode(tx, of, input.node_name);
  await lockPool(tx, pool);
  // Its instance may have left it meanwhile.
  const own = await findOwnNode(tx, of, input.node_name);
  const now = clock.now();
  let decision: CordonDecision = { cordons: false, outcome: "" };
  await changeNodeIn(tx, own, async (before) => {
    const node = { cordonedBy: cordonedBy(before), ownCordons: await ownCordons(tx, own, { ...of, now }) };
    decision = decideCordon(node, input.severity);
    return decision.cordons ? cordonedState(before, { own, signal: input.signal, now }) : before;
  });
  const event = toNodeEvent(await insertEvent(tx, { ...of, own, input, decision, now }));
  await announce(tx, ctx, { event, own });
  return event;
}

const cordonedBy = ({ cordonedAt, cordonSource }: GpuNode) => cordonedAt && (cordonSource ?? "operator");

function cordonedState(before: GpuNode, { own, signal, now }: { own: OwnNode; signal: string; now: Date }): NodeState {
  return {
    cordonedAt: now,
    cordonReason: `${signal}, reported by the tenant of ${own.rid}.`,
    cordonSource: "tenant",
    cordonRid: own.rid,
    drains: true,
    flaps: false,
    ...upgradeOf(before),
  };
}

interface NewNodeEvent extends OwnNodesOf {
  own: OwnNode;
  input: ReportNodeEvent;
  decision: CordonDecision;
  now: Date;
}

async function insertEvent(
  tx: Prisma.TransactionClient,
  { tenantId, mode, own, input, decision, now }: NewNodeEvent,
): Promise<NodeEventRow> {
  const { pool, node, rid: resourceId, projectId } = own;
  const { signal, severity, details } = input;
  const row = await tx.nodeEvent.create({
    data: {
      id: newId(NODE_EVENT_ID_PREFIX, now.getTime()),
      tenantId,
      projectId,
      mode,
      resourceId,
      pool,
      node,
      signal,
      severity,
      details: storedJson(details) as Prisma.InputJsonObject,
      cordoned: decision.cordons,
      outcome: decision.outcome,
      createdAt: now,
    },
  });
  await keepNewest(tx, { tenantId, mode, cordoned: decision.cordons });
  return row;
}

async function announce(
  tx: Prisma.TransactionClient,
  ctx: ActorCtx,
  { event, own }: { event: NodeEvent; own: OwnNode },
): Promise<void> {
  const kinds = event.cordoned ? [nodeHealthEvent, nodeCordoned] : [nodeHealthEvent];
  const { signal, severity, cordoned, rid, id } = event;
  await recordAudit(tx, ctx, {
    action: "node.health_event",
    targets: [nodeTarget(own)],
    details: { event_id: id, rid, signal, severity, cordoned },
    events: kinds.map((kind) => newEvent(kind, event, { projectId: own.projectId, mode: event.mode })),
  });
}
