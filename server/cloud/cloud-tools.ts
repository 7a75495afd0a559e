import type { Tool } from "../operation/tool";
import { billingTools } from "./billing/billing.tools";
import { gatewayTools } from "./gateway/gateway.tools";
import { gpuPoolTools } from "./gpu-pools/gpu-pools.tools";
import { metricsTools } from "./metrics/metrics.tools";
import { podTools } from "./pods/pods.tools";
import { queueTools } from "./queues/queues.tools";
import { secretTools } from "./secrets/secrets.tools";
import { storageTools } from "./storage/storage.tools";

/** The tools for cloud objects. */
export const cloudTools: readonly Tool[] = [
  ...podTools,
  ...gpuPoolTools,
  ...storageTools,
  ...secretTools,
  ...queueTools,
  ...gatewayTools,
  ...billingTools,
  ...metricsTools,
];
