import type { StartedAlarms } from "../../../engines/start-alarms";
import { type Json, storedJson } from "../../../identity/stored-json";
import type { RunningRound } from "../../../kernel/alarms";
import { groupedBy } from "../../../kernel/grouped";
import { withTimeout } from "../../../kernel/with-timeout";
import type { Kind } from "./family";
import { desiredOf, serviceOf } from "./resource";
import { ResourceLanes } from "./resource-lanes";
import { type ReconcileCtx, reconcileResource, runInTime } from "./resource-reconciler";
import { type ClaimedResource, claimDueResources, NEXT_RESOURCE, recordSeen } from "./resources.sql";

const CLAIMS_MAX = 500;
/** A look at the effects of a kind together; one that fails is repeated for each of them. */
const LOOK_MS_MAX = 10_000;
/** How long a stop waits for steps, which are aborted then. */
const STOP_MS = 5000;

/** Looks after the resources that are due, in the background until `stop`; several processes may do so at a time. */
export function startResources(ctx: ReconcileCtx, alarms: Pick<StartedAlarms, "add">): Pick<RunningRound, "stop"> {
  const stopping = new AbortController();
  const lanes = new ResourceLanes();
  const round = alarms.add({
    topic: "resources",
    purpose: "reconcile resources",
    nextDue: NEXT_RESOURCE,
    run: () => beginDueResources({ ...ctx, stopping: stopping.signal }, lanes),
    settled: () => lanes.settled(),
  });
  return {
    async stop() {
      stopping.abort();
      await round.stop();
      await withTimeout(STOP_MS, lanes.settled()).catch(() => undefined);
    },
  };
}

/** Claims the resources that are due, and begins their steps in the lanes. Returns whether more are due. */
export async function beginDueResources(ctx: ReconcileCtx, lanes: ResourceLanes): Promise<boolean> {
  const due = await claimDueResources(ctx.sql, { now: ctx.clock.now(), limit: CLAIMS_MAX });
  for (const [name, group] of groupedBy(due, ({ plane, service, kind }) => `${plane}/${service}/${kind}`)) {
    const kind = kindOf(ctx, group);
    if (!kind) continue;
    const beginStep = (row: ClaimedResource) =>
      lanes.addStep({ kind: name, tenantId: row.tenantId, rid: row.id }, () => stepOf(ctx, row.id));
    for (const row of group.filter((one) => !isSteady(one))) beginStep(row);
    // Programs of tenants are asked for each of them apart, so that one that does not respond delays no others.
    const asked = groupedBy(group.filter(isSteady), ({ tenantId }) => (kind.asksPrograms ? tenantId : ""));
    for (const [tenantId, rows] of asked)
      lanes.add({ kind: name, tenantId }, async () => {
        const seen = await seenTogether(ctx, kind, rows);
        for (const row of rows) if (!seen.has(row.id)) beginStep(row);
      });
  }
  return due.length === CLAIMS_MAX;
}

function kindOf({ families, log }: ReconcileCtx, [first]: readonly ClaimedResource[]): Kind | undefined {
  if (!first) return undefined;
  try {
    return families.kindOf({ ...serviceOf(first), kind: first.kind });
  } catch (err) {
    log.error({ err, rid: first.id }, "a resource is of an unknown kind");
    return undefined;
  }
}

const stepOf = (ctx: ReconcileCtx, rid: string): Promise<void> =>
  reconcileResource(ctx, rid).catch((err: unknown) => ctx.log.warn({ err, rid }, "cannot take the step of a resource"));

/** Nothing is to be done for them if their effects are as they should be. */
const isSteady = ({ state, isActive, generation, observedGeneration }: ClaimedResource): boolean =>
  state === "ready" && isActive && generation === observedGeneration;

/**
 * Looks at effects of a kind at once, which costs far less than one by one, and records what is as it should be. Returns
 * the ids of those.
 */
async function seenTogether(ctx: ReconcileCtx, kind: Kind, rows: readonly ClaimedResource[]): Promise<Set<string>> {
  const present = new Map<string, Json>();
  try {
    const look = (signal: AbortSignal) =>
      kind.observe(
        rows.map((row) => desiredOf(ctx.families, row)),
        signal,
      );
    const seen = await runInTime(look, { maxMs: LOOK_MS_MAX, abortedBy: [ctx.stopping] }).inTime;
    for (const [id, one] of seen) if (one.is === "present") present.set(id, storedJson(one.observed));
    if (present.size > 0) await recordSeen(ctx.sql, { seen: present, now: ctx.clock.now() });
  } catch (err) {
    if (ctx.stopping?.aborted) return new Set(rows.map(({ id }) => id));
    // Each of them is looked at by itself then, so that one failure does not hide the others.
    ctx.log.warn({ err, kind: rows[0]?.kind }, "cannot look at resources together");
    return new Set();
  }
  return new Set(present.keys());
}
