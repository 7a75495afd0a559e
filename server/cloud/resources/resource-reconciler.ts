import type { Pool } from "pg";
import type { Logger } from "pino";
import { Prisma, type PrismaClient } from "../../engines/postgres/generated/client";
import { appendAudit } from "../../identity/audit/record-audit";
import { newEvent } from "../../identity/events/record-event";
import { storedJson } from "../../identity/stored-json";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { randomBase32 } from "../../kernel/ids";
import { withTimeout } from "../../kernel/with-timeout";
import { asServiceError } from "../../operation/as-service-error";
import type { Families, Kind, Seen } from "./family";
import { nextStep, type Situation, type Step, stateAfter, stateSeen } from "./next-step";
import { originOf, resourceTarget, serviceOf, stateOf, toResource, wantedOf } from "./resource";
import { EVENT_OF_STATE } from "./resource.events";
import type { ResourceState } from "./resource-states";
import { type ClaimedResource, leaseResource } from "./resources.sql";
import type { AtResourceStep, ResourceStep } from "./steps";

/** A resource that is as it should be is looked at so often. */
const OBSERVE_MS = 60_000;
/** One whose effect is on its way. */
const CHANGING_MS = 1000;
/** And one that has been on its way for long, each time that a twentieth of that has passed. */
const CHANGING_SHARE = 20;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 300_000;
const TOKEN_LENGTH = 20;
/** Less than a lease, so that no other process begins while a step runs. */
const STEP_MS_MAX = 50_000;

export interface ReconcileCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  families: Families;
  atStep?: AtResourceStep | undefined;
}

/** What a step came to; `changed`: its effect may have changed. */
type Outcome =
  | { state: ResourceState; seen?: Seen; changed?: ResourceStep; isMoving?: true }
  | { state: ResourceState; failure: ServiceError };

/**
 * Takes the next steps of one resource until nothing is left to do now. Returns at once while another process does so.
 * A failed step is repeated later, after a pause that grows.
 */
export async function reconcileResource(ctx: ReconcileCtx, rid: string): Promise<void> {
  const token = randomBase32(TOKEN_LENGTH);
  const row = await leaseResource(ctx.sql, { id: rid, token });
  if (!row) return;
  const outcome = await takeStep(ctx, row);
  if ("changed" in outcome && outcome.changed) await ctx.atStep?.(outcome.changed);
  const hasMore = await store(ctx, { ...row, leaseToken: token }, outcome);
  if (hasMore) await reconcileResource(ctx, rid);
}

async function takeStep(ctx: ReconcileCtx, row: ClaimedResource): Promise<Outcome> {
  const kind = ctx.families.kindOf({ ...serviceOf(row), kind: row.kind });
  const known: Situation = { ...row, state: stateOf(row) };
  const step = async (): Promise<Outcome> => {
    const first = nextStep(known);
    if (first !== "observe") return perform(first, kind, row);
    const seen = (await kind.observe([wantedOf(row)])).get(row.id) ?? { is: "absent" };
    const then = nextStep({ ...known, seen: seen.is });
    if (then !== "keep") return perform(then, kind, row);
    return { state: stateSeen(seen.is, stateOf(row)), seen, ...(seen.is === "changing" && { isMoving: true }) };
  };
  try {
    return await withTimeout(STEP_MS_MAX, step(), tooSlow);
  } catch (cause) {
    const failure = asServiceError(cause);
    if (failure.code === "internal") ctx.log.error({ err: cause, rid: row.id }, "a step of a resource failed");
    return { state: row.state === "deleting" ? "deleting" : "failed", failure };
  }
}

const tooSlow = (): Error =>
  new ServiceError("unavailable", "A step took too long; it is tried again.", { details: { reason: "step_slow" } });

async function perform(step: Step, kind: Kind, row: ClaimedResource): Promise<Outcome> {
  const wanted = wantedOf(row);
  switch (step) {
    case "provision": {
      const seen = await kind.provision(wanted);
      return { state: stateAfter(seen.is, stateOf(row)), seen, changed: "resource.provisioned" };
    }
    case "suspend": {
      const isDone = await (kind.suspend?.(wanted) ?? kind.remove(wanted));
      const changed = "resource.suspended";
      return isDone ? { state: "suspended", changed } : { state: stateOf(row), isMoving: true, changed };
    }
    case "remove":
      return { state: (await kind.remove(wanted)) ? "deleted" : "deleting", changed: "resource.removed" };
    default:
      return { state: stateOf(row) };
  }
}

/** Stores what a step came to, unless the lease was lost. Returns whether the resource was changed meanwhile. */
const store = (ctx: ReconcileCtx, leased: ClaimedResource, outcome: Outcome): Promise<boolean> =>
  ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM resources WHERE id = ${leased.id} FOR NO KEY UPDATE`;
    const row = await tx.resource.findUnique({ where: { id: leased.id } });
    if (row?.leaseToken !== leased.leaseToken) return false;
    const isChanged = row.state !== leased.state || row.generation !== leased.generation;
    // Its service was activated or deactivated meanwhile, which the step does not know.
    const isWoken = row.nextAt?.getTime() !== leased.nextAt?.getTime();
    const data = {
      ...(row.state === leased.state ? changesOf(ctx, leased, outcome) : { nextAt: ctx.clock.now() }),
      ...((isChanged || isWoken) && { nextAt: ctx.clock.now() }),
      ...{ leaseToken: null, leaseUntil: null },
    };
    const stored = await tx.resource.update({ where: { id: row.id }, data });
    if (stored.state !== row.state) await announce(tx, ctx, stored);
    return isChanged;
  });

function changesOf({ clock }: ReconcileCtx, row: ClaimedResource, outcome: Outcome): Prisma.ResourceUpdateInput {
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
    ...(state === "deleted" && { archivedAt: now }),
  };
}

function nextAtOf(row: ClaimedResource, outcome: Outcome, now: Date): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms);
  if ("failure" in outcome) return after(Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** row.failures));
  const { state, isMoving } = outcome;
  if (state === "deleted" || state === "suspended") return null;
  if (state !== "provisioning" && state !== "deleting" && !isMoving) return after(OBSERVE_MS);
  // What takes long is looked at less often.
  const age = now.getTime() - row.updatedAt.getTime();
  return after(Math.min(OBSERVE_MS, Math.max(CHANGING_MS, age / CHANGING_SHARE)));
}

const failureReason = ({ code, message, details }: ServiceError) => ({
  code: typeof details?.reason === "string" ? details.reason : code,
  message,
});

function reasonAfter(state: ResourceState, seen: Seen | undefined) {
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
    ...{ action: event.type, targets: [resourceTarget(row)], details: { service: row.service, kind: row.kind } },
    events: [newEvent(event, toResource(families, row), originOf(row))],
  });
}
