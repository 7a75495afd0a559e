import type { Config } from "./config";
import { AgentTaskStore } from "./identity/agent-tasks/agent-task-store";
import { EventSubscribers } from "./identity/events/event-subscribers";
import { assertQuota } from "./identity/quotas/assert-quota";
import { countPlatformKey } from "./identity/request-counts/count-platform-key";
import { deriveKey } from "./kernel/secrets";
import type { StopStack } from "./kernel/stop-stack";
import { type IdempotencySteps, IdempotencyStore } from "./operation/idempotency/idempotency-store";
import { createPlatformPipeline, toolPipelineOf } from "./operation/platform-pipeline";
import type { Products } from "./start-products";
import { createEdgeSurface, type EdgeSurface } from "./surfaces/edge/create-edge-surface";
import { createEditorsSurface, type EditorsSurface } from "./surfaces/editors/create-editors-surface";
import { withCallbacks } from "./surfaces/http/callbacks";
import { watchDataCenters } from "./surfaces/http/data-center-ranges";
import type { Surface } from "./surfaces/http/mount-rows";
import { createOffersApi } from "./surfaces/http/offers-api";
import { withOrders } from "./surfaces/http/order-paths";
import { withOtlp } from "./surfaces/http/otlp-paths";
import { createPlatformApi } from "./surfaces/http/platform-api";
import { offersRoutes, orderRoutes, platformRoutes } from "./surfaces/http/routes";
import { visitorsOf } from "./surfaces/http/visitors";
import { createMcpSurface, withMcp } from "./surfaces/mcp/create-mcp-surface";
import type { McpParts } from "./surfaces/mcp/exchange";
import { LogLevels } from "./surfaces/mcp/log-levels";
import { RunningTasks } from "./surfaces/mcp/running-tasks";
import { createPortsSurface, type PortsSurface } from "./surfaces/ports/create-ports-surface";
import { createS3Surface, type S3Surface } from "./surfaces/s3/create-s3-surface";
import { createTerminalSurface, type TerminalSurface } from "./surfaces/terminal/create-terminal-surface";
import { createTrpcSurface, type TrpcSurface } from "./surfaces/trpc/create-trpc-surface";

export interface Surfaces {
  offers: Surface;
  platform: Surface;
  trpc: TrpcSurface;
  s3: S3Surface;
  /** The servers in pods. */
  ports: PortsSurface;
  /** The code-server of workspaces. */
  editors: EditorsSurface;
  terminals: TerminalSurface;
  /** The hosts of edge functions. */
  edge: EdgeSurface;
}

interface SurfaceParts {
  stops: StopStack;
  /** Replaces what runs the requests of agents; for tests of the protocol. */
  replaceAgentHandlers?: McpParts["replaceHandlers"];
  atStep?: IdempotencySteps | undefined;
}

type Visitors = ReturnType<typeof visitorsOf>;
type Pipeline = ReturnType<typeof createPipeline>;

/** What a process serves over HTTP, WebSockets, MCP and S3. */
export function createSurfaces(config: Config, products: Products, parts: SurfaceParts): Surfaces {
  const { identity, cloud, engines, log } = products;
  const { publicUrl, isLoopback, connectionsPerAddressMax } = config;
  const { authenticate, session } = identity;
  const { counters } = engines;
  const visitors = visitorsOf(config, identity.ctx.addressKey);
  const pipeline = createPipeline(products, { visitors, atStep: parts.atStep });
  const common = { pipeline, authenticate, log };
  const { stopping } = cloud.ctx;
  const terminals = createTerminalSurface({ ...common, publicUrl, session, stopping });
  const operations = terminals.beside(createPlatformApi({ ...common, routes: platformRoutes }));
  const logLevels = new LogLevels(counters);
  parts.stops.push("log levels of agents", () => logLevels.close());
  const tasks = createTasks(products);
  parts.stops.push("tasks of agents", () => tasks.stop());
  const mcp = createMcp(products, pipeline, {
    publicUrl,
    replaceHandlers: parts.replaceAgentHandlers,
    logLevels,
    tasks,
    stopping,
  });
  const platform = withOtlp(withMcp(operations, mcp), { cloud: cloud.ctx, authenticate, log });
  const { receivePaymentEvent, joinNode } = cloud.ctx;
  return {
    offers: withOrders(
      createOffers(config, products, { visitors, stops: parts.stops }),
      createPlatformApi({ ...common, routes: orderRoutes }),
    ),
    platform: withCallbacks(platform, { receivePaymentEvent, joinNode, log }),
    s3: createS3Surface({
      cloud: cloud.ctx,
      limits: { counters, ...visitors },
      authenticateBearer: authenticate,
      s3Host: config.s3Host,
      pipeline,
      log,
    }),
    ports: createPortsSurface({ ...common, session, publicUrl, stopping }),
    terminals,
    editors: createEditorsSurface({ ...cloud.ctx, pipeline, session, log, secret: engines.secret }),
    edge: createEdgeSurface({
      edge: cloud.ctx.edge,
      counters,
      publicUrl,
      log,
      connectionsPerAddress: { max: connectionsPerAddressMax, exemptsLoopback: isLoopback },
    }),
    trpc: createTrpcSurface({
      pipeline,
      authenticate: session,
      publicUrl,
      onInternal: (err, meta) => log.error({ err, request_id: meta.requestId }, "a dashboard call failed"),
    }),
  };
}

function createPipeline(
  { engines, identity, ads, cloud, clock }: Products,
  { visitors, atStep }: Pick<SurfaceParts, "atStep"> & { visitors: Visitors },
) {
  const { tenants, requestCounter } = identity.ctx;
  const { db, counters, secret } = engines;
  return createPlatformPipeline({
    counters,
    ...visitors,
    limitsOf: tenants.limitsOf,
    answers: new IdempotencyStore({ db, clock, counters, sealingKey: deriveKey(secret, "idempotency"), atStep }),
    assertQuota,
    assertRoom: () => engines.space.assertRoom(),
    countResponse: ({ actor }, status) => countPlatformKey(requestCounter, actor, status),
    contexts: { identity: identity.ctx, ads: ads.ctx, cloud: cloud.ctx },
  });
}

function createOffers(
  { dataCenterRanges }: Config,
  { identity, ads, log }: Products,
  { visitors, stops }: { visitors: Visitors; stops: StopStack },
): Surface {
  const dataCenters = watchDataCenters(dataCenterRanges, log);
  stops.push("data-center ranges", () => dataCenters.stop());
  return createOffersApi({
    ctx: ads.serving,
    routes: offersRoutes,
    ...visitors,
    recordKeyUse: ads.ctx.recordKeyUse,
    isDataCenter: dataCenters.has,
    requestCounter: identity.ctx.requestCounter,
    log,
  });
}

function createTasks({ engines: { db, counters, secret }, alarms, clock, log }: Products): RunningTasks {
  const store = new AgentTaskStore({ db, clock, sealingKey: deriveKey(secret, "agent-tasks") });
  return new RunningTasks({ store, counters, alarms, log });
}

function createMcp(
  { identity, engines, clock, log, alarms }: Products,
  pipeline: Pipeline,
  settings: Pick<McpParts, "publicUrl" | "replaceHandlers" | "logLevels" | "tasks" | "stopping">,
) {
  const { authenticate } = identity;
  const { tenants, toolCalls } = identity.ctx;
  const toolPipeline = toolPipelineOf(pipeline, { limitsOf: tenants.limitsOf, counters: engines.counters });
  const subscribers = new EventSubscribers({ db: engines.db, alarms });
  const cursors = { key: identity.ctx.cursorKey, clock };
  const calls = { pipeline, toolPipeline, authenticate, toolCalls };
  return createMcpSurface({ ...calls, subscribers, cursors, clock, log, ...settings });
}
