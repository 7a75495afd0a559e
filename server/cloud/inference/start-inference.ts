import type { StartedAlarms } from "../../engines/start-alarms";
import type { RunningRound } from "../../kernel/alarms";
import { dueWhile } from "../../kernel/round";
import type { CloudParts } from "../cloud-ctx";
import type { Wanted } from "../resources/family";
import { wantedOf } from "../resources/resource";
import { reconcileResource } from "../resources/resource-reconciler";
import type { EndpointSpec } from "./endpoint-spec";
import { forgetLoads } from "./loads";
import { countsOf, type Look, lookAtEndpoints, type ReplicaCounts } from "./look-at-endpoints";

const ENDPOINTS_MAX = 1000;
/** In one of so many rounds replicas that are ready are asked whether they still are. */
const ROUNDS_PER_PROBE = 10;

const READY_ENDPOINTS = `SELECT FROM resources
  WHERE plane = 'gpuc' AND service = 'inference' AND state = 'ready' AND failures = 0 AND archived_at IS NULL`;

/** Follows the load of endpoints, in the background until `stop`; several processes may do so at a time. */
export function startInference(parts: () => CloudParts, alarms: Pick<StartedAlarms, "add">): RunningRound {
  let rounds = 0;
  return alarms.add({
    topic: "inference",
    purpose: "look after inference endpoints",
    nextDue: dueWhile(READY_ENDPOINTS),
    run: () => scaleEndpoints(parts(), { probesReady: rounds++ % ROUNDS_PER_PROBE === 0 }),
  });
}

/** One round. Those that are on their way, or failed, are looked after as other resources are. */
export async function scaleEndpoints(parts: CloudParts, { probesReady = false } = {}): Promise<void> {
  await forgetLoads(parts);
  const rows = await parts.db.resource.findMany({
    where: { plane: "gpuc", service: "inference", state: "ready", failures: 0, archivedAt: null },
    ...{ orderBy: { id: "asc" }, take: ENDPOINTS_MAX },
  });
  if (rows.length === 0) return;
  const looks = await lookAtEndpoints(parts, rows.map(wantedOf) as Wanted<EndpointSpec>[], { probesReady });
  for (const { id, observed } of rows) {
    const look = looks.get(id);
    if (look && (look.hasSteps || isNews(look, observed))) await reconcileResource(parts.reconciling, id);
  }
}

/** Its record has other numbers of replicas. */
function isNews(look: Look, observed: unknown): boolean {
  const { replicas: known } = (observed ?? {}) as { replicas?: ReplicaCounts };
  const { ready, wanted, starting } = countsOf(look);
  return known?.ready !== ready || known.wanted !== wanted || known.starting !== starting;
}
