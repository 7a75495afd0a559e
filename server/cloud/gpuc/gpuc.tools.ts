import { type Tool, tool } from "../../operation/tool";
import { objectTools } from "../bucket-resources/object.tools";
import { clusterTools } from "../clusters/clusters.tools";
import { inferenceTools } from "../inference/inference.tools";
import { instanceTools } from "../instances/instances.tools";
import { tensorizerTools } from "../model-conversions/tensorizer.tools";
import { netTools } from "../networks/net.tools";
import { nodeEventTools } from "../node-events/node-events.tools";
import { ownUpgradeTools } from "../own-upgrades/own-upgrades.tools";
import { activateService } from "../resources/activate-service";
import { deactivateService } from "../resources/deactivate-service";
import { listActivations } from "../resources/list-activations";
import { telemetryTools } from "../telemetry/telemetry.tools";
import { dfsTools } from "../volume-resources/dfs.tools";
import { getResourceUsage } from "./get-resource-usage";
import { listSkus } from "./list-skus";

/** The tools of the compute and infrastructure services. */
export const gpucTools: readonly Tool[] = [
  tool("gpuc_skus category:s", listSkus),
  tool("gpuc_activations_list", listActivations, { toInput: () => ({ plane: "gpuc" }) }),
  tool("gpuc_activate service*:s plan_tier:s", activateService),
  tool("gpuc_deactivate service*:s", deactivateService),
  ...instanceTools,
  ...objectTools,
  ...tensorizerTools,
  ...inferenceTools,
  ...netTools,
  ...clusterTools,
  ...nodeEventTools,
  ...ownUpgradeTools,
  ...telemetryTools,
  ...dfsTools,
  tool("gpuc_usage service:s since_days:i", getResourceUsage),
];
