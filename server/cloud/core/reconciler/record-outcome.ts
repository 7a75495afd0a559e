import { Prisma } from "../../../engines/postgres/generated/client";
import { appendAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { type Json, storedJson } from "../../../identity/stored-json";
import type { ServiceError } from "../../../kernel/errors";
import type { Families } from "../kinds/families";
import type { Observation } from "../kinds/kind";
import { serviceOf } from "../planes/planes";
import { originOf, resourceTarget, stateOf, toResource } from "../records/resource";
import type { ResourceState } from "../records/resource-states";
import { storeReferences } from "../references/references";
import { redactedSpec } from "../specs/specs";
import type { ReconcileCtx } from "./reconcile-ctx";
import { EVENT_OF_STATE } from "./reconciler.events";
import type { ClaimedResource } from "./reconciler.sql";
import type { ResourceStep } from "./steps";

/** A resource whose effect is on its way is looked at so often. */
const CHANGING_MS = 1000;
/** And one that has been on its way for long, each time that a twentieth of that has passed, or at least so often. */
const CHANGING_SHARE = 20;
const CHANGING_MS_MAX = 60_000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 300_000;

/** What a step came to; `changed`: its effect may have changed. */
export type Outcome =
  | { state: ResourceState; seen?: Observation; changed?: ResourceStep; isMoving?: true }
  | { state: ResourceState; failure: ServiceError };

interface Stored {
  outcome: Outcome;
  /** The step has not ended. */
  keepsLease?: boolean;
}

/** Stores what a step came to, unless the lease was lost. Returns whether the resource was changed meanwhile. */
export const recordOutcome = (
  ctx: ReconcileCtx,
  leased: ClaimedResource,
  { outcome, keepsLease }: Stored,
): Promise<boolean> =>
  ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM resources WHERE id = ${leased.id} FOR NO KEY UPDATE`;
    const row = await tx.resource.findUnique({ where: { id: leased.id } });
    if (row?.leaseOwner !== leased.leaseOwner || row.leaseFence !== leased.leaseFence) return false;
    const isChanged = row.state !== leased.state || row.generation !== leased.generation;
    // Its service was activated or deactivated meanwhile, which the step does not know.
    const isWoken = row.nextAt?.getTime() !== leased.nextAt?.getTime();
    const data = {
      ...(row.state === leased.state ? changesOf(ctx, leased, outcome) : { nextAt: ctx.clock.now() }),
      ...((isChanged || isWoken) && { nextAt: ctx.clock.now() }),
      ...(!keepsLease && { leaseOwner: null, leaseUntil: null }),
    };
    const stored = await tx.resource.update({ where: { id: row.id }, data });
    if (stored.state !== row.state) await announce(tx, ctx, stored);
    if (stored.state === "deleted") await storeReferences(tx, row.id, []);
    return isChanged;
  });

function changesOf(
  { clock, families }: ReconcileCtx,
  row: ClaimedResource,
  outcome: Outcome,
): Prisma.ResourceUpdateInput {
  const now = clock.now();
  const { state } = outcome;
  const isChange = state !== row.state;
  const common = { state, ...(isChange && { updatedAt: now }), nextAt: nextAtOf(row, outcome, now) };
  if ("failure" in outcome) {
    const { failure } = outcome;
    return { ...common, failures: row.failures + 1, reason: storedJson(failureReason(failure)) as object };
  }
  const { seen, changed } = outcome;
  return {
    ...common,
    failures: 0,
    reason: reasonAfter(state, seen),
    ...(seen && seen.is !== "absent" && { observed: storedJson(seen.observed) as object, observedAt: now }),
    ...(changed === "resource.provisioned" && { observedGeneration: row.generation }),
    ...(state === "deleted" && { archivedAt: now, spec: forgottenSpec(families, row), sealed: null }),
  };
}

/** What is kept of the spec of a deleted resource: without what may be secret. */
function forgottenSpec(families: Families, row: ClaimedResource): Prisma.InputJsonObject {
  const { spec } = families.kindOf({ ...serviceOf(row), kind: row.kind });
  return storedJson(redactedSpec(spec, row.spec as Record<string, Json>)) as Prisma.InputJsonObject;
}

function nextAtOf(row: ClaimedResource, outcome: Outcome, now: Date): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms);
  if ("failure" in outcome) return after(Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** row.failures));
  const { state, isMoving } = outcome;
  if (state === "deleted" || state === "suspended") return null;
  // It is at rest.
  if (state !== "provisioning" && state !== "deleting" && !isMoving) return null;
  // What takes long is looked at less often.
  const age = now.getTime() - row.updatedAt.getTime();
  return after(Math.min(CHANGING_MS_MAX, Math.max(CHANGING_MS, age / CHANGING_SHARE)));
}

const failureReason = ({ code, message, details }: ServiceError) => ({
  code: typeof details?.reason === "string" ? details.reason : code,
  message,
});

function reasonAfter(state: ResourceState, seen: Observation | undefined) {
  if (seen?.is === "faulty") return { code: "faulty", message: seen.message };
  if (state === "degraded" && seen?.is === "changing")
    return { code: "changing", message: "Its effect is changing, such as an instance that stops or moves." };
  if (seen?.is === "absent") return { code: "absent", message: "Its effect is gone; svc provisions it again." };
  if (state === "suspended") return { code: "not_activated", message: "Its service is not activated." };
  return Prisma.DbNull;
}

async function announce(
  tx: Prisma.TransactionClient,
  { clock, families }: ReconcileCtx,
  row: Parameters<typeof toResource>[1],
): Promise<void> {
  const event = EVENT_OF_STATE[stateOf(row)];
  if (!event) return;
  const origin = { tenantId: row.tenantId, at: clock.now(), actor: { type: "system" }, request: undefined } as const;
  await appendAudit(tx, origin, {
    action: event.type,
    targets: [resourceTarget(row)],
    details: { service: row.service, kind: row.kind },
    events: [newEvent(event, toResource(families, row), originOf(row))],
  });
}
