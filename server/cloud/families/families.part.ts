import type { Logger } from "pino";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { QuietPart } from "../../identity/part";
import { startInference } from "../ai/inference/start-inference";
import { PublicPorts } from "../compute/public-ports/public-ports";
import { startResources } from "../core/reconciler/start-resources";
import { cloudFamilies } from "./cloud-families";
import { familyRoutes } from "./families.routes";
import { familyTools } from "./families.tools";
import type { FamilyParts } from "./family-ctx";
import { GPUC_QUOTAS } from "./gpuc/gpuc.quotas";

interface Needs extends FamilyParts {
  log: Logger;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  config: {
    roles: ReadonlySet<string>;
    isLoopback: boolean;
    connectionsPerAddressMax: number;
  };
}

/** The families of resources; workers look after their resources. */
export const familiesPart: QuietPart<Needs, typeof familyRoutes> = {
  name: "families",
  routes: [familyRoutes],
  tools: familyTools,
  quotas: Object.values(GPUC_QUOTAS),
  start: (needs) => {
    const { log, alarms, config, families, reconciling } = needs;
    families.add(cloudFamilies(() => needs));
    if (!config.roles.has("worker")) return { gives: {} };
    const resources = startResources(reconciling, alarms);
    const inference = startInference(() => needs, alarms);
    const connectionsPerAddress = { max: config.connectionsPerAddressMax, exemptsLoopback: config.isLoopback };
    const ports = new PublicPorts({ ...needs, log, alarms, connectionsPerAddress });
    return {
      gives: {},
      stop: async () => {
        await ports.stop();
        await inference.stop();
        await resources.stop();
      },
    };
  },
};
