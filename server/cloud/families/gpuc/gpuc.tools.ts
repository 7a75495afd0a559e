import { type Tool, tool } from "../../../operation/tool";
import { inferenceTools } from "../../ai/inference/inference.tools";
import { clusterTools } from "../../compute/clusters/clusters.tools";
import { instanceTools } from "../../compute/instances/instances.tools";
import { nodeEventTools } from "../../compute/node-events/node-events.tools";
import { ownUpgradeTools } from "../../compute/own-upgrades/own-upgrades.tools";
import { activateService } from "../../core/resources/activate-service";
import { deactivateService } from "../../core/resources/deactivate-service";
import { listActivations } from "../../core/resources/list-activations";
import { tensorizerTools } from "../../data/model-conversions/tensorizer.tools";
import { telemetryTools } from "../../obs/ingest/telemetry.tools";
import { dfsTools } from "./dfs.tools";
import { getResourceUsage } from "./get-resource-usage";
import { listSkus } from "./list-skus";
import { netTools } from "./net.tools";
import { objectTools } from "./object.tools";

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
  tool("gpuc_usage service:s since_days:i", getResourceUsage, {
    description:
      "Returns the seconds of instances and replicas of endpoints, and the capacity of shared volumes over time, deleted ones included. A key sees those of all projects of the tenant; buckets are metered as storage, see svc_billing_usage.",
  }),
];
