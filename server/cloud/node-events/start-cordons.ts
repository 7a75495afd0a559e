import type { StartedAlarms } from "../../engines/start-alarms";
import type { RunningRound } from "../../kernel/alarms";
import { type ReleaseCordons, releaseCordons } from "./release-cordons";

/** While a tenant has cordoned a node, whether it still may is always due, which is once a second. */
const NEXT_CORDON = "SELECT to_timestamp(0) WHERE EXISTS (SELECT FROM gpu_nodes WHERE cordon_source = 'tenant')";

/** Ends the cordons of tenants in the background until `stop`; several processes may do so at the same time. */
export const startCordons = ({
  alarms,
  ...ctx
}: ReleaseCordons & { alarms: Pick<StartedAlarms, "add"> }): RunningRound =>
  alarms.add({
    topic: "cordons",
    purpose: "end cordons of tenants",
    nextDue: NEXT_CORDON,
    run: () => releaseCordons(ctx),
  });
