import type { Pool } from "pg";
import type { Logger } from "pino";
import { Prisma, type PrismaClient } from "../../../engines/postgres/generated/client";
import { appendAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { type Json, storedJson } from "../../../identity/stored-json";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { asServiceError } from "../../../operation/as-service-error";
import type { Families } from "../kinds/families";
import type { DesiredResource, Kind, Observation } from "../kinds/kind";
import { serviceOf } from "../planes/planes";
import { desiredOf, originOf, resourceTarget, type StoredResource, stateOf, toResource } from "../records/resource";
import type { ResourceState } from "../records/resource-states";
import { storeReferences } from "../references/references";
import { hasParts } from "../references/references.sql";
import { redactedSpec } from "../specs/specs";
import { nextStep, type ReconcileState, type Step, stateAfter, stateObserved } from "./next-step";
import { EVENT_OF_STATE } from "./reconciler.events";
import { type ClaimedResource, endLease, extendLease, type KindName, leaseResource, RESOURCES } from "./reconciler.sql";
import type { ResourceLanes } from "./resource-lanes";
import type { AtResourceStep, ResourceStep } from "./steps";

/** A resource whose effect is on its way is looked at so often. */
const CHANGING_MS = 1000;
/** And one that has been on its way for long, each time that a twentieth of that has passed, or at least so often. */
const CHANGING_SHARE = 20;
const CHANGING_MS_MAX = 60_000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 300_000;
/** After this the step counts as failed, and is aborted. */
const STEP_MS_MAX = 50_000;

export interface ReconcileCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  families: Families;
  /** In which the steps of this process take turns. */
  lanes: ResourceLanes;
  atStep?: AtResourceStep | undefined;
  /** Aborted when the process stops. */
  stopping?: AbortSignal | undefined;
  /** The deadline of a step in milliseconds; default: 50,000. */
  stepMsMax?: number | undefined;
  /** The deadline of a look at resources together in milliseconds; default: 10,000. */
  lookMsMax?: number | undefined;
}

/** What a step came to; `changed`: its effect may have changed. */
type Outcome =
  | { state: ResourceState; seen?: Observation; changed?: ResourceStep; isMoving?: true }
  | { state: ResourceState; failure: ServiceError };

/** As in `gpuc/net/vpc`: the name of a lane. */
export const kindNameOf = ({ plane, service, kind }: KindName): string => `${plane}/${service}/${kind}`;

/** Takes the next steps of a resource in the lane of its kind. Resolves when they have ended; failures are logged. */
export const stepInLane = (
  ctx: ReconcileCtx,
  { id: rid, tenantId, ...name }: Pick<StoredResource, "id" | "tenantId"> & KindName,
): Promise<void> =>
  ctx.lanes.addStep({ kind: kindNameOf(name), tenantId, rid }, () =>
    reconcileResource(ctx, rid).catch((err: unknown) =>
      ctx.log.warn({ err, rid }, "cannot take the step of a resource"),
    ),
  );

/**
 * Takes the next steps of one resource until nothing is left to do now. Returns at once while another process does so.
 * A failed step is repeated later, after a pause that grows; one that does not end at its deadline counts as failed, and
 * keeps its lease until it has ended, so that none begins beside it.
 */
export async function reconcileResource(ctx: ReconcileCtx, rid: string): Promise<void> {
  const leased = await leaseResource(ctx.sql, rid);
  if (!leased) return;
  const { row, lease } = leased;
  const kept = RESOURCES.keep(rid, { extend: () => extendLease(ctx.sql, lease), log: ctx.log });
  const step = runInTime((signal) => takeStep(ctx, row, signal), {
    maxMs: ctx.stepMsMax ?? STEP_MS_MAX,
    abortedBy: [kept.signal, ctx.stopping],
  });
  const release = () => endLease(ctx.sql, lease, ctx.clock.now());
  const outcome = await step.inTime.catch((cause: unknown) => failureOf(ctx, row, cause));
  if (!step.hasEnded()) {
    void step.ended
      .then(release)
      .catch((err: unknown) => ctx.log.warn({ err, rid }, "cannot end the lease of a resource"))
      .finally(kept.stop);
    // The outcome is that it is late; the next step begins when this one has ended. What a stop of svc interrupts is not late.
    if (!ctx.stopping?.aborted) await store(ctx, row, { outcome, keepsLease: true });
    return;
  }
  kept.stop();
  if ("failure" in outcome && ctx.stopping?.aborted) return release();
  if ("changed" in outcome && outcome.changed) await ctx.atStep?.(outcome.changed);
  const hasMore = await store(ctx, row, { outcome });
  if (hasMore) await reconcileResource(ctx, rid);
}

interface InTime {
  maxMs: number;
  abortedBy: readonly (AbortSignal | undefined)[];
}

/**
 * Runs `work` with a signal that is aborted after `maxMs`, and by the others. `inTime` is its result, or rejects then;
 * `ended` resolves when it has really ended.
 */
export function runInTime<T>(work: (signal: AbortSignal) => Promise<T>, { maxMs, abortedBy }: InTime) {
  const ending = new AbortController();
  let isDone = false;
  const late = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(tooSlow()), { once: true });
  });
  late.catch(() => undefined);
  const abort = () => ending.abort();
  const timer = setTimeout(abort, maxMs);
  for (const signal of abortedBy) signal?.addEventListener("abort", abort, { once: true });
  if (abortedBy.some((signal) => signal?.aborted)) abort();
  const running = work(ending.signal);
  const end = () => {
    isDone = true;
    clearTimeout(timer);
    for (const signal of abortedBy) signal?.removeEventListener("abort", abort);
  };
  const ended = running.then(end, end);
  // What has ended in time is known to have ended when its result is.
  const result = ended.then(() => running);
  return { inTime: Promise.race([result, late]), ended, hasEnded: () => isDone };
}

const tooSlow = (): Error =>
  new ServiceError("unavailable", "A step took too long; it is tried again.", { details: { reason: "step_slow" } });

async function takeStep(ctx: ReconcileCtx, row: ClaimedResource, signal: AbortSignal): Promise<Outcome> {
  const kind = ctx.families.kindOf({ ...serviceOf(row), kind: row.kind });
  const known: ReconcileState = { ...row, state: stateOf(row), isSettled: kind.settled === true };
  const first = nextStep(known);
  const desired = desiredOf(ctx.families, row);
  if (first !== "observe") return perform(first, kind, { db: ctx.db, row, desired, signal });
  const seen = (await kind.observe([desired], signal)).get(row.id) ?? { is: "absent" };
  const then = nextStep({ ...known, seen: seen.is });
  // What was aborted must not change anything more.
  if (then !== "keep" && !signal.aborted) return perform(then, kind, { db: ctx.db, row, desired, signal });
  return { state: stateObserved(seen.is, stateOf(row)), seen, ...(seen.is === "changing" && { isMoving: true }) };
}

function failureOf({ log }: ReconcileCtx, row: ClaimedResource, cause: unknown): Outcome {
  const failure = asServiceError(cause);
  if (failure.code === "internal") log.error({ err: cause, rid: row.id }, "a step of a resource failed");
  return { state: row.state === "deleting" ? "deleting" : "failed", failure };
}

interface LeasedStep {
  db: PrismaClient;
  row: ClaimedResource;
  desired: DesiredResource;
  signal: AbortSignal;
}

async function perform(step: Step, kind: Kind, { db, row, desired, signal }: LeasedStep): Promise<Outcome> {
  switch (step) {
    case "provision": {
      const seen = await kind.provision(desired, signal);
      return { state: stateAfter(seen.is, stateOf(row)), seen, changed: "resource.provisioned" };
    }
    case "suspend": {
      const isDone = await (kind.suspend?.(desired, signal) ?? kind.remove(desired, signal));
      const changed = "resource.suspended";
      return isDone ? { state: "suspended", changed } : { state: stateOf(row), isMoving: true, changed };
    }
    case "remove":
      // What is deleted with it goes first.
      if (await hasParts(db, row.id)) return { state: "deleting" };
      return { state: (await kind.remove(desired, signal)) ? "deleted" : "deleting", changed: "resource.removed" };
    default:
      return { state: stateOf(row) };
  }
}

interface Stored {
  outcome: Outcome;
  /** The step has not ended. */
  keepsLease?: boolean;
}

/** Stores what a step came to, unless the lease was lost. Returns whether the resource was changed meanwhile. */
const store = (ctx: ReconcileCtx, leased: ClaimedResource, { outcome, keepsLease }: Stored): Promise<boolean> =>
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
