import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { groupedBy } from "../../../kernel/grouped";
import { withTimeout } from "../../../kernel/with-timeout";
import type { Kind } from "../kinds/kind";
import { serviceOf } from "../planes/planes";
import { isAtRest, lookTogether } from "./look-at-resources";
import { LookSchedule } from "./look-schedule";
import type { ReconcileCtx } from "./reconcile-ctx";
import { kindNameOf, stepInLane } from "./reconciler";
import {
  type ClaimedResource,
  claimDueResources,
  claimLooks,
  type KindName,
  NEXT_RESOURCE,
  readAtRest,
  takeWakes,
} from "./reconciler.sql";

const CLAIMS_MAX = 500;
/** The place in the lane of a kind from which its pages are read; their looks have others. */
const PAGES = "pages";
/** How long a stop waits for steps, which are aborted then. */
const STOP_MS = 5000;

/** Looks after resources in the background until `stop`; several processes may do so at a time. */
export function startResources(ctx: ReconcileCtx, alarms: Pick<StartedAlarms, "add">): Pick<RunningRound, "stop"> {
  const stopping = new AbortController();
  const own = { ...ctx, stopping: stopping.signal };
  const schedule = new LookSchedule();
  const idle = () => ctx.lanes.idle();
  const steps = alarms.add({
    topic: "resources",
    purpose: "reconcile resources",
    nextDue: NEXT_RESOURCE,
    run: () => beginDueResources(own),
    idle,
  });
  const looks = alarms.add({
    topic: "resource-looks",
    purpose: "look at resources",
    everyMs: () => schedule.msUntilNext(ctx.families, ctx.clock.now()),
    run: () => beginLooks(own, schedule),
    idle,
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([steps.stop(), looks.stop()]);
      await withTimeout(STOP_MS, ctx.lanes.idle()).catch(() => undefined);
    },
  };
}

/** Claims the resources that are due, and begins their steps in the lanes. Returns whether more are due. */
export async function beginDueResources(ctx: ReconcileCtx): Promise<boolean> {
  const now = ctx.clock.now();
  const hasMoreWakes = await takeWakes(ctx.sql, now);
  const due = await claimDueResources(ctx.sql, { now, limit: CLAIMS_MAX });
  for (const [name, group] of groupedBy(due, kindNameOf)) {
    const kind = kindOf(ctx, group);
    if (!kind) continue;
    for (const row of group) if (!isAtRest(kind, row)) void stepInLane(ctx, row);
    void lookTogether(ctx, { name, kind, rows: group.filter((row) => isAtRest(kind, row)) });
  }
  return hasMoreWakes || due.length === CLAIMS_MAX;
}

/** Begins to look at the resources at rest of the kinds that are due, unless another process does so. */
export async function beginLooks(ctx: ReconcileCtx, schedule: LookSchedule): Promise<void> {
  const now = ctx.clock.now();
  const due = schedule.due(ctx.families, now);
  if (due.length === 0) return;
  const claimed = await claimLooks(ctx.sql, { kinds: due, now });
  schedule.tried(due);
  for (const name of claimed) {
    const kind = ctx.families.kindOf(name as Parameters<typeof ctx.families.kindOf>[0]);
    const lane = { kind: kindNameOf(name), tenantId: PAGES };
    const end = ctx.lanes.beginLook(lane);
    // Otherwise the looks of the last period have not ended.
    if (end) void ctx.lanes.add(lane, () => lookAtAll(ctx, kind, name)).then(end);
  }
}

/** Reads the resources at rest of a kind by pages, and looks at those of a page together, at one page after the other. */
async function lookAtAll(ctx: ReconcileCtx, kind: Kind, name: KindName): Promise<void> {
  let afterId = "";
  try {
    for (let count = CLAIMS_MAX; count === CLAIMS_MAX && !ctx.stopping?.aborted; ) {
      const states = kind.settled ? ["degraded", "failed"] : ["ready", "degraded", "failed"];
      const rows = await readAtRest(ctx.sql, { ...name, states, afterId, limit: CLAIMS_MAX });
      await lookTogether(ctx, { name: kindNameOf(name), kind, rows });
      count = rows.length;
      afterId = rows.at(-1)?.id ?? "";
    }
  } catch (err) {
    ctx.log.warn({ err, kind: kindNameOf(name) }, "cannot read the resources of a kind");
  }
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
