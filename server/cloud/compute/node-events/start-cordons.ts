import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { dueWhile } from "../../../kernel/round";
import { type ReleaseCordons, releaseCordons } from "./release-cordons";

const TENANT_HAS_CORDONED = "SELECT FROM gpu_nodes WHERE cordon_source = 'tenant'";

/** Ends the cordons of tenants in the background until `stop`; several processes may do so at the same time. */
export const startCordons = ({
  alarms,
  ...ctx
}: ReleaseCordons & { alarms: Pick<StartedAlarms, "add"> }): RunningRound =>
  alarms.add({
    topic: "cordons",
    purpose: "end cordons of tenants",
    nextDue: dueWhile(TENANT_HAS_CORDONED),
    run: () => releaseCordons(ctx),
  });
