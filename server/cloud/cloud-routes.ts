import type { RouteGroup } from "../operation/route";
import { gatewayRoutes } from "./ai/gateway/gateway.routes";
import { inferenceRoutes } from "./ai/inference/inference.routes";
import { chatLedgerRoutes } from "./ai/ledger/chat-ledger.routes";
import { chatUpstreamRoutes } from "./ai/upstreams/chat-upstreams.routes";
import { clusterRoutes } from "./compute/clusters/clusters.routes";
import { functionRoutes } from "./compute/functions/functions.routes";
import { instanceRoutes } from "./compute/instances/instances.routes";
import { nodeEventRoutes } from "./compute/node-events/node-events.routes";
import { podRoutes } from "./compute/pods/pods.routes";
import { gpuPoolRoutes } from "./compute/pools/pools.routes";
import { reservationRoutes } from "./compute/reservations/reservations.routes";
import { sandboxRoutes } from "./compute/sandboxes/sandboxes.routes";
import { volumeSnapshotRoutes } from "./compute/volume-snapshots/volume-snapshots.routes";
import { workspaceRoutes } from "./compute/workspaces/workspaces.routes";
import { resourceRoutes } from "./core/resources/resources.routes";
import { storageRoutes } from "./data/buckets/buckets.routes";
import { queueRoutes } from "./data/queues/queues.routes";
import { secretRoutes } from "./data/secrets/secrets.routes";
import { edgeRoutes } from "./edge/workers/edge.routes";
import { webhookRoutes } from "./events/webhooks/webhooks.routes";
import { gpucRoutes } from "./families/gpuc/gpuc.routes";
import { billingRoutes } from "./money/billing/billing.routes";
import { metricsRoutes } from "./money/usage/metrics.routes";
import { telemetryRoutes } from "./obs/ingest/telemetry.routes";
import { shieldRoutes } from "./shield/scans/shield.routes";

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
