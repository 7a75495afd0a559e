import { type Json, storedJson } from "../../../identity/stored-json";
import { canonicalJson } from "../../../kernel/canonical-json";
import { groupedBy } from "../../../kernel/grouped";
import type { Kind, Observation } from "../kinds/kind";
import { desiredOf } from "../records/resource";
import type { ReconcileCtx } from "./reconcile-ctx";
import { stepInLane } from "./reconciler";
import { type ClaimedResource, type LookedAt, recordLooks } from "./reconciler.sql";
import type { Lane } from "./resource-lanes";
import { runInTime } from "./run-in-time";

/** A look at the effects of a kind together; one that fails is repeated for each of them. */
const LOOK_MS_MAX = 10_000;

/** Resources of one kind that are looked at together, which costs far less than one by one. */
export interface Looked {
  /** As in `gpuc/net/vpc`. */
  name: string;
  kind: Kind;
  rows: readonly ClaimedResource[];
}

/**
 * Looks at resources at rest, in the lane of their kind. One whose effect is as it was seen last is not written; one whose
 * effect is in order and looks different is recorded; each other one takes its next step. Resolves when the looks have
 * ended, or are late.
 */
export async function lookTogether(ctx: ReconcileCtx, { name, kind, rows }: Looked): Promise<void> {
  // Programs of tenants are asked for each of them apart, so that one that does not respond delays no others.
  const asked = groupedBy(rows, ({ tenantId }) => (kind.asksPrograms ? tenantId : ""));
  const looks = [...asked].map(([tenantId, group]) => {
    const lane = { kind: name, tenantId };
    return ctx.lanes.add(lane, async () => {
      const others = await looksOf(ctx, { lane, kind, rows: group });
      for (const row of others) void stepInLane(ctx, row);
    });
  });
  await Promise.all(looks);
}

/** Whether nothing is to be done for a resource if its effect is as it was. */
export const isAtRest = ({ settled }: Kind, row: ClaimedResource): boolean =>
  row.isActive &&
  row.generation === row.observedGeneration &&
  row.failures === 0 &&
  (row.state === "ready" ? !settled : isFaulty(row));

const isFaulty = ({ state, reason }: ClaimedResource): boolean =>
  (state === "degraded" || state === "failed") && (reason as { code: string } | null)?.code === "faulty";

interface Group {
  lane: Lane;
  kind: Kind;
  rows: readonly ClaimedResource[];
}

/** Returns the resources that need a step of their own. */
async function looksOf(ctx: ReconcileCtx, { lane, kind, rows }: Group): Promise<readonly ClaimedResource[]> {
  const end = ctx.lanes.beginLook(lane);
  // Each of them is looked at by itself then, so that one that does not respond hides no others.
  if (!end) return rows;
  const look = runInTime(
    (signal) =>
      kind.observe(
        rows.map((row) => desiredOf(ctx.families, row)),
        signal,
      ),
    {
      maxMs: ctx.lookMsMax ?? LOOK_MS_MAX,
      abortedBy: [ctx.stopping],
    },
  );
  void look.ended.then(end);
  try {
    const seen = await look.inTime;
    const looks = rows.map((row) => ({ row, seen: seen.get(row.id) ?? ({ is: "absent" } as const) }));
    await record(
      ctx,
      looks.filter(({ row, seen: one }) => isAsBefore(row, one)),
    );
    return looks.flatMap(({ row, seen: one }) => (isAsBefore(row, one) ? [] : [row]));
  } catch (err) {
    if (ctx.stopping?.aborted) return [];
    ctx.log.warn({ err, kind: lane.kind }, "cannot look at resources together");
    return rows;
  }
}

/** Its state stays. */
const isAsBefore = (row: ClaimedResource, seen: Observation): boolean => {
  if (!row.isActive) return false;
  if (seen.is === "present") return row.state === "ready";
  return seen.is === "faulty" && isFaulty(row) && (row.reason as { message: string }).message === seen.message;
};

async function record(ctx: ReconcileCtx, looks: readonly { row: ClaimedResource; seen: Observation }[]): Promise<void> {
  const written = looks.flatMap(({ row, seen }): LookedAt[] => {
    const observed = seen.is === "absent" ? null : newOf(row, seen.observed);
    return observed !== null || row.nextAt !== null ? [{ row, observed }] : [];
  });
  if (written.length > 0) await recordLooks(ctx.sql, { looks: written, now: ctx.clock.now() });
}

/** What was seen, unless it is the same as before. */
function newOf({ observed: before }: ClaimedResource, seen: Json): Json | null {
  const observed = storedJson(seen);
  return canonicalJson(before) === canonicalJson(observed) ? null : observed;
}
