import type { Logger } from "pino";
import { groupedBy } from "../../kernel/grouped";
import { type Repeating, repeat } from "../../kernel/repeat";
import { serviceOf, wantedOf } from "./resource";
import { looksTheSame, OBSERVE_MS, type ReconcileCtx, reconcileResource } from "./resource-reconciler";
import { type ClaimedResource, claimDueResources, recordUnchanged } from "./resources.sql";

const ROUND_MS = 1000;
const CLAIMS_MAX = 500;
const CONCURRENT_STEPS = 8;

/** Looks after the resources that are due, in the background until `stop`; several processes may do so at a time. */
export const startResources = (ctx: ReconcileCtx & { log: Logger }): Repeating =>
  repeat({ everyMs: ROUND_MS, log: ctx.log, purpose: "look after resources" }, () => reconcileDueResources(ctx));

/** One round. Returns whether more resources are due. */
export async function reconcileDueResources(ctx: ReconcileCtx): Promise<boolean> {
  const now = ctx.clock.now();
  const due = await claimDueResources(ctx.sql, { now, limit: CLAIMS_MAX });
  const steady = due.filter(isSteady);
  const unchanged = await observedUnchanged(ctx, steady);
  const nextAt = new Date(now.getTime() + OBSERVE_MS);
  if (unchanged.size > 0) await recordUnchanged(ctx.sql, { ids: [...unchanged], now, nextAt });
  const left = due.filter(({ id }) => !unchanged.has(id)).map(({ id }) => id);
  const takeSteps = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await reconcileResource(ctx, id);
  };
  await Promise.all(Array.from({ length: CONCURRENT_STEPS }, takeSteps));
  return due.length === CLAIMS_MAX;
}

/** Nothing is to be done for them if their effects look as before. */
const isSteady = ({ state, isActive, generation, observedGeneration }: ClaimedResource): boolean =>
  state === "ready" && isActive && generation === observedGeneration;

/** Looks at the effects of each kind at once, which costs far less than one by one. */
async function observedUnchanged({ families, log }: ReconcileCtx, rows: readonly ClaimedResource[]) {
  const unchanged = new Set<string>();
  for (const group of groupedBy(rows, ({ plane, service, kind }) => `${plane}/${service}/${kind}`).values()) {
    const [first] = group;
    if (!first) continue;
    try {
      const kind = families.kindOf({ ...serviceOf(first), kind: first.kind });
      const seen = await kind.observe(group.map(wantedOf));
      for (const row of group) if (looksTheSame(row, seen.get(row.id))) unchanged.add(row.id);
    } catch (err) {
      // Each of them is looked at by itself, so that one failure does not hide the others.
      log.warn({ err, kind: first.kind }, "cannot look at resources together");
    }
  }
  return unchanged;
}
