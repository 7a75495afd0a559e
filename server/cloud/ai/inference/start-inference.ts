import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { dueWhile } from "../../../kernel/round";
import type { DesiredResource } from "../../core/kinds/kind";
import { reconcileResource } from "../../core/reconciler/reconciler";
import { desiredOf } from "../../core/records/resource";
import { activeEndpoints, endpointsAfter, READY_ENDPOINTS } from "./due-endpoints.sql";
import type { EndpointSpec } from "./endpoint-spec";
import type { InferenceParts } from "./inference-ctx";
import { forgetLoads } from "./loads";
import { countsOf, type EndpointSnapshot, type ReplicaCounts, readEndpoints } from "./read-endpoints";

/** Of those that are quiet, in one round: each has its turn, however many there are. */
const QUIET_MAX = 200;
/** Longer than a process that passes requests takes to report that again. */
const ACTIVE_MS = 5000;
/** Replicas that are ready are asked whether they still are once in so many rounds, or in turns that take longer. */
const ROUNDS_PER_PROBE = 10;

/** Follows the load of endpoints, in the background until `stop`; several processes may do so at a time. */
export function startInference(parts: () => InferenceParts, alarms: Pick<StartedAlarms, "add">): RunningRound {
  let after = "";
  let rounds = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  let probesReady = false;
  return alarms.add({
    topic: "inference",
    purpose: "scale inference endpoints",
    nextDue: dueWhile(READY_ENDPOINTS),
    run: async () => {
      rounds++;
      if (after === "") {
        probesReady = rounds - probedAt >= ROUNDS_PER_PROBE;
        if (probesReady) probedAt = rounds;
      }
      after = await scaleEndpoints(parts(), { probesReady, after });
    },
  });
}

interface ScaleOptions {
  probesReady?: boolean;
  /** The id after which quiet endpoints have their turn; "": all do from the beginning. */
  after?: string;
  quietMax?: number;
}

/**
 * One round: endpoints with traffic or replicas that change, and the next of those that are quiet. Those that are on their
 * way, or failed, are looked after as other resources are. Resolves to `after` of the next round.
 */
export async function scaleEndpoints(
  parts: InferenceParts,
  { probesReady = false, after = "", quietMax = QUIET_MAX }: ScaleOptions = {},
): Promise<string> {
  await forgetLoads(parts);
  const since = new Date(parts.clock.now().getTime() - ACTIVE_MS);
  const quiet = await endpointsAfter(parts.sql, { after, max: quietMax });
  const turn = new Set(quiet);
  const active = (await activeEndpoints(parts.sql, since)).filter((id) => !turn.has(id));
  await scale(parts, quiet, { probesReady });
  for (let i = 0; i < active.length; i += QUIET_MAX) await scale(parts, active.slice(i, i + QUIET_MAX));
  return quiet.length < quietMax ? "" : (quiet.at(-1) ?? "");
}

async function scale(
  parts: InferenceParts,
  ids: readonly string[],
  options: Pick<ScaleOptions, "probesReady"> = {},
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await parts.db.resource.findMany({ where: { id: { in: [...ids] } } });
  const wanted = rows.map((row) => desiredOf(parts.reconciling.families, row)) as DesiredResource<EndpointSpec>[];
  const snapshots = await readEndpoints(parts, wanted, options);
  for (const { id, observed } of rows) {
    const snapshot = snapshots.get(id);
    if (snapshot && (snapshot.hasSteps || isNews(snapshot, observed))) await reconcileResource(parts.reconciling, id);
  }
}

/** Its record has other numbers of replicas. */
function isNews(snapshot: EndpointSnapshot, observed: unknown): boolean {
  const { replicas: known } = (observed ?? {}) as { replicas?: ReplicaCounts };
  const { ready, wanted, starting } = countsOf(snapshot);
  return known?.ready !== ready || known.wanted !== wanted || known.starting !== starting;
}
