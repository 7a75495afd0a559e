import type { Tool } from "../operation/tool";
import { billingTools } from "./billing/billing.tools";
import { edgeTools } from "./edge/edge.tools";
import { functionTools } from "./functions/functions.tools";
import { gatewayTools } from "./gateway/gateway.tools";
import { gpuPoolTools } from "./gpu-pools/gpu-pools.tools";
import { gpucTools } from "./gpuc/gpuc.tools";
import { metricsTools } from "./metrics/metrics.tools";
import { podTools } from "./pods/pods.tools";
import { queueTools } from "./queues/queues.tools";
import { sandboxTools } from "./sandboxes/sandboxes.tools";
import { secretTools } from "./secrets/secrets.tools";
import { shieldTools } from "./shield/shield.tools";
import { storageTools } from "./storage/storage.tools";
import { workspaceTools } from "./workspaces/workspaces.tools";

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
