import type { Tool } from "../operation/tool";
import { gatewayTools } from "./ai/gateway/gateway.tools";
import { functionTools } from "./compute/functions/functions.tools";
import { podTools } from "./compute/pods/pods.tools";
import { gpuPoolTools } from "./compute/pools/pools.tools";
import { sandboxTools } from "./compute/sandboxes/sandboxes.tools";
import { workspaceTools } from "./compute/workspaces/workspaces.tools";
import { storageTools } from "./data/buckets/buckets.tools";
import { queueTools } from "./data/queues/queues.tools";
import { secretTools } from "./data/secrets/secrets.tools";
import { edgeTools } from "./edge/workers/edge.tools";
import { gpucTools } from "./families/gpuc/gpuc.tools";
import { billingTools } from "./money/billing/billing.tools";
import { metricsTools } from "./money/usage/metrics.tools";
import { shieldTools } from "./shield/scans/shield.tools";

/** The tools for cloud objects. */
export const cloudTools: readonly Tool[] = [
  ...podTools,
  ...sandboxTools,
  ...workspaceTools,
  ...gpuPoolTools,
  ...storageTools,
  ...functionTools,
  ...edgeTools,
  ...secretTools,
  ...shieldTools,
  ...queueTools,
  ...gatewayTools,
  ...billingTools,
  ...metricsTools,
  ...gpucTools,
];
