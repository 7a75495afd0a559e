import type { Logger } from "pino";
import type { StartedAlarms } from "../../engines/start-alarms";
import { type Json, storedJson } from "../../identity/stored-json";
import type { RunningRound } from "../../kernel/alarms";
import { groupedBy } from "../../kernel/grouped";
import { serviceOf, wantedOf } from "./resource";
import { type ReconcileCtx, reconcileResource } from "./resource-reconciler";
import { type ClaimedResource, claimDueResources, NEXT_RESOURCE, recordSeen } from "./resources.sql";

const CLAIMS_MAX = 500;
const CONCURRENT_STEPS = 8;

/** Looks after the resources that are due, in the background until `stop`; several processes may do so at a time. */
export const startResources = (ctx: ReconcileCtx & { log: Logger }, alarms: Pick<StartedAlarms, "add">): RunningRound =>
  alarms.add({
    topic: "resources",
    purpose: "look after resources",
    nextDue: NEXT_RESOURCE,
    run: () => reconcileDueResources(ctx),
  });

/** One round. Returns whether more resources are due. */
export async function reconcileDueResources(ctx: ReconcileCtx): Promise<boolean> {
  const now = ctx.clock.now();
  const due = await claimDueResources(ctx.sql, { now, limit: CLAIMS_MAX });
  const seen = await seenAsTheyShouldBe(ctx, due.filter(isSteady));
  if (seen.size > 0) await recordSeen(ctx.sql, { seen, now });
  const left = due.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
  const takeSteps = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await reconcileResource(ctx, id);
  };
  await Promise.all(Array.from({ length: CONCURRENT_STEPS }, takeSteps));
  return due.length === CLAIMS_MAX;
}

/** Nothing is to be done for them if their effects are as they should be. */
const isSteady = ({ state, isActive, generation, observedGeneration }: ClaimedResource): boolean =>
  state === "ready" && isActive && generation === observedGeneration;

/** Looks at the effects of each kind at once, which costs far less than one by one. */
async function seenAsTheyShouldBe({ families, log }: ReconcileCtx, rows: readonly ClaimedResource[]) {
  const present = new Map<string, Json>();
  const groups = groupedBy(rows, ({ plane, service, kind }) => `${plane}/${service}/${kind}`);
  for (const [name, group] of groups) {
    const [first] = group;
    if (!first) continue;
    try {
      const kind = families.kindOf({ ...serviceOf(first), kind: first.kind });
      const seen = await kind.observe(group.map(wantedOf));
      for (const [id, one] of seen) if (one.is === "present") present.set(id, storedJson(one.observed));
    } catch (err) {
      // Each of them is looked at by itself then, so that one failure does not hide the others.
      log.warn({ err, kind: name }, "cannot look at resources together");
    }
  }
  return present;
}
