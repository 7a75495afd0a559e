import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { asServiceError } from "../../../operation/as-service-error";
import type { DesiredResource, Kind } from "../kinds/kind";
import { serviceOf } from "../planes/planes";
import { desiredOf, type StoredResource, stateOf } from "../records/resource";
import { hasParts } from "../references/references.sql";
import { nextStep, type ReconcileState, type Step, stateAfter, stateObserved } from "./next-step";
import type { ReconcileCtx } from "./reconcile-ctx";
import { type ClaimedResource, endLease, extendLease, type KindName, leaseResource, RESOURCES } from "./reconciler.sql";
import { type Outcome, recordOutcome } from "./record-outcome";
import { runInTime } from "./run-in-time";

/** After this the step counts as failed, and is aborted. */
const STEP_MS_MAX = 50_000;

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
    if (!ctx.stopping?.aborted) await recordOutcome(ctx, row, { outcome, keepsLease: true });
    return;
  }
  kept.stop();
  if ("failure" in outcome && ctx.stopping?.aborted) return release();
  if ("changed" in outcome && outcome.changed) await ctx.atStep?.(outcome.changed);
  const hasMore = await recordOutcome(ctx, row, { outcome });
  if (hasMore) await reconcileResource(ctx, rid);
}

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
