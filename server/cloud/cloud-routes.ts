import type { RouteGroup } from "../operation/route";
import { billingRoutes } from "./billing/billing.routes";
import { chatLedgerRoutes } from "./chat-ledger/chat-ledger.routes";
import { chatUpstreamRoutes } from "./chat-upstreams/chat-upstreams.routes";
import { clusterRoutes } from "./clusters/clusters.routes";
import { edgeRoutes } from "./edge/edge.routes";
import { functionRoutes } from "./functions/functions.routes";
import { gatewayRoutes } from "./gateway/gateway.routes";
import { gpuPoolRoutes } from "./gpu-pools/gpu-pools.routes";
import { gpucRoutes } from "./gpuc/gpuc.routes";
import { inferenceRoutes } from "./inference/inference.routes";
import { instanceRoutes } from "./instances/instances.routes";
import { metricsRoutes } from "./metrics/metrics.routes";
import { nodeEventRoutes } from "./node-events/node-events.routes";
import { podRoutes } from "./pods/pods.routes";
import { queueRoutes } from "./queues/queues.routes";
import { reservationRoutes } from "./reservations/reservations.routes";
import { resourceRoutes } from "./resources/resources.routes";
import { sandboxRoutes } from "./sandboxes/sandboxes.routes";
import { secretRoutes } from "./secrets/secrets.routes";
import { shieldRoutes } from "./shield/shield.routes";
import { storageRoutes } from "./storage/storage.routes";
import { telemetryRoutes } from "./telemetry/telemetry.routes";
import { volumeSnapshotRoutes } from "./volume-resources/volume-snapshots.routes";
import { webhookRoutes } from "./webhooks/webhooks.routes";
import { workspaceRoutes } from "./workspaces/workspaces.routes";

/** The routes of `/v1` for cloud objects. */
export const cloudRoutes: readonly RouteGroup[] = [
  webhookRoutes,
  podRoutes,
  sandboxRoutes,
  workspaceRoutes,
  gpuPoolRoutes,
  reservationRoutes,
  resourceRoutes,
  instanceRoutes,
  inferenceRoutes,
  clusterRoutes,
  nodeEventRoutes,
  telemetryRoutes,
  gpucRoutes,
  volumeSnapshotRoutes,
  queueRoutes,
  storageRoutes,
  functionRoutes,
  edgeRoutes,
  secretRoutes,
  shieldRoutes,
  gatewayRoutes,
  chatLedgerRoutes,
  chatUpstreamRoutes,
  billingRoutes,
  metricsRoutes,
];
