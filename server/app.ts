import { z } from "zod";
import type { AdsParts } from "./ads/ads-ctx";
import type { Catalog } from "./ads/catalog/catalog";
import { findChannelKeys } from "./ads/channels/find-channel-keys";
import { createPromptOffers } from "./ads/offers/create-prompt-offers";
import { type StartAds, startAds } from "./ads/start-ads";
import type { Vectors } from "./ads/vectors/start-vectors";
import { confirmingChatRules } from "./cloud/ai/ledger/announce-chat-rules";
import type { CloudParts } from "./cloud/cloud-ctx";
import { startCloud } from "./cloud/start-cloud";
import type { StartCloud } from "./cloud/start-cloud-options";
import type { Config } from "./config";
import { type MinuteTasks, startJobs } from "./engines/jobs/start-jobs";
import { startAlarms } from "./engines/start-alarms";
import { ALL_EVENT_KINDS } from "./event-kinds";
import { createAccount } from "./identity/create-account";
import type { AccountCtx } from "./identity/identity-ctx";
import { countPlatformKey } from "./identity/request-counts/count-platform-key";
import type { authenticateSession } from "./identity/sessions/authenticate-session";
import { startIdentity } from "./identity/start-identity";
import { systemClock } from "./kernel/clock";
import { issueText } from "./kernel/input-failure";
import { StopStack } from "./kernel/stop-stack";
import { createPlatformPipeline, toolPipelineOf } from "./operation/platform-pipeline";
import { ALL_QUOTAS } from "./quotas";
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
import { createPortsSurface, type PortsSurface } from "./surfaces/ports/create-ports-surface";
import { createS3Surface, type S3Surface } from "./surfaces/s3/create-s3-surface";
import { createTerminalSurface, type TerminalSurface } from "./surfaces/terminal/create-terminal-surface";
import { createTrpcSurface, type TrpcSurface } from "./surfaces/trpc/create-trpc-surface";

export interface App {
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
  account: AccountCtx;
  ads: AdsParts;
  cloud: CloudParts;
  /** Creatives and products that can be served. */
  catalogSize(): number;
  catalog: Pick<Catalog, "bytes" | "leftOut">;
  /** The semantic engine, if one is configured. */
  vectors: Vectors | undefined;
  /** A sentence on why functions cannot run here; undefined: they can. */
  functionsMissing: () => Promise<string | undefined>;
  /** Ids in impression reports that cannot be offer ids. */
  ignoredImpressionIds(): number;
  /** Blobs of stored objects that scrubbing has verified in this process. */
  scrubbedBlobs: { ok: number; lost: number };
  /**
   * Facts missing from reports, by kind: dropped under back pressure, rejected by ClickHouse, and rejected but not
   * stored because the dead-letter file is full.
   */
  lostFacts: Record<"shed" | "refused" | "dropped", ReadonlyMap<string, number>>;
  session: (cookie: string | null) => ReturnType<typeof authenticateSession>;
  /** Runs all background work that is due, and what follows from it; for tests. */
  settle(): Promise<void>;
  /** Ends requests that wait for messages, which respond with none; call it when the process begins to stop. */
  endWaits(): void;
  /** Finishes accepted work, then stops every loop; the caller stops the engines. */
  stop(): Promise<void>;
}

export interface AppParts
  extends Omit<StartAds, "clock" | "alarms" | "stops">,
    Partial<Pick<StartAds, "clock">>,
    Pick<StartCloud, "webhookNetwork" | "chatNetwork" | "runtime" | "scanWorkerFile" | "atWebhookStep" | "atChatStep">,
    Pick<StartCloud, "atBillingStep" | "atResourceStep" | "stripeEndpoint"> {
  /** Created with `createAccount`; by default it is created here. */
  account?: AccountCtx;
  /** "manual": background work is done in `settle` only; for tests. */
  rounds?: "manual" | undefined;
  /** Replaces what runs the requests of agents; for tests of the protocol. */
  replaceAgentHandlers?: McpParts["replaceHandlers"];
}

/**
 * Creates the contexts of the products, the pipeline and the surfaces. If it throws, it first stops everything that it
 * started.
 */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const stops = new StopStack();
  try {
    return await startParts(config, parts, stops);
  } catch (failure) {
    await stops.stop().catch(() => undefined);
    throw failure;
  }
}

const edgeLimitsOf = ({ connectionsPerAddressMax: max, isLoopback: exemptsLoopback }: Config) => ({
  connectionsPerAddress: { max, exemptsLoopback },
});

async function startParts(config: Config, parts: AppParts, stops: StopStack): Promise<App> {
  const { log, clock = systemClock, atStep } = parts;
  const engines = { ...parts.engines, counters: confirmingChatRules(parts.engines) };
  // Every surface describes invalid input with the same messages.
  z.config({ customError: issueText });
  const account = parts.account ?? (await createAccount(config, { engines, clock, log, quotas: ALL_QUOTAS }));
  const alarms = startAlarms({ sql: engines.sql, clock, log, isManual: parts.rounds === "manual" });
  stops.push("background rounds", () => alarms.stop());
  const scopesInUse = new Set<string>([...platformRoutes, ...orderRoutes].map(({ operation }) => operation.access));
  const identity = await startIdentity(config, {
    ...{ engines, account, scopesInUse, findKeys: [findChannelKeys], eventKinds: ALL_EVENT_KINDS, log, stops },
    ...(atStep ? { atStep } : {}),
  });
  const ads = await startAds(config, { ...parts, clock, alarms, stops });
  const { webhookNetwork, chatNetwork, runtime, scanWorkerFile } = parts;
  const { atWebhookStep, atChatStep, atBillingStep, atResourceStep, stripeEndpoint } = parts;
  const cloud = await startCloud(config, {
    ...{ engines, account, alarms, log, stops, webhookNetwork, chatNetwork, runtime, atWebhookStep, atChatStep },
    ...{ atBillingStep, atResourceStep, stripeEndpoint, scanWorkerFile },
    eventKinds: ALL_EVENT_KINDS,
    promptOffers: createPromptOffers(ads.serving),
  });
  const dataCenters = watchDataCenters(config.dataCenterRanges, log);
  stops.push("data-center ranges", () => dataCenters.stop());
  if (config.roles.has("worker")) {
    const tasks = { ...identity.tasks, ...ads.tasks, ...cloud.tasks };
    await startWork([identity, ads, cloud], { pool: engines.sql, alarms, log, tasks }, stops);
  }
  const visitors = visitorsOf(config, account.addressKey);
  const { answers, assertQuota, authenticate, limitsOf, requestCounter, session, toolCalls } = identity;
  const pipeline = createPlatformPipeline({
    ...{ counters: engines.counters, ...visitors, limitsOf, answers, assertQuota },
    assertRoom: () => engines.space.assertRoom(),
    countResponse: ({ actor }, status) => countPlatformKey(requestCounter, actor, status),
    contexts: { identity: identity.ctx, ads: { ...ads.ctx, counters: engines.counters }, cloud: cloud.ctx },
  });
  const { publicUrl } = config;
  const { serving: ctx, noteKeyUse } = ads;
  const offers = createOffersApi({
    ...{ ctx, routes: offersRoutes, ...visitors, noteKeyUse, isDataCenter: dataCenters.has, requestCounter, log },
  });
  const platform = { pipeline, authenticate, log };
  const toolPipeline = toolPipelineOf(pipeline, { limitsOf, counters: engines.counters });
  const mcp = createMcpSurface({
    ...{ ...platform, toolPipeline, publicUrl, clock, toolCalls, replaceHandlers: parts.replaceAgentHandlers },
  });
  const limits = { counters: engines.counters, ...visitors };
  const s3Parts = { cloud: cloud.ctx, limits, authenticateBearer: authenticate, s3Host: config.s3Host };
  const terminals = createTerminalSurface({ ...platform, publicUrl, session, stopping: cloud.ctx.stopping });
  const operations = terminals.beside(createPlatformApi({ ...platform, routes: platformRoutes }));
  return {
    offers: withOrders(offers, createPlatformApi({ ...platform, routes: orderRoutes })),
    platform: withCallbacks(withOtlp(withMcp(operations, mcp), { cloud: cloud.ctx, authenticate, log }), {
      ...{ receivePaymentEvent: cloud.receivePaymentEvent, joinNode: cloud.joinNode, log },
    }),
    s3: createS3Surface({ ...s3Parts, pipeline, log }),
    ports: createPortsSurface({ ...platform, session, publicUrl, stopping: cloud.ctx.stopping }),
    terminals,
    editors: createEditorsSurface({ ...cloud.ctx, pipeline, session, log, secret: engines.secret }),
    edge: createEdgeSurface({
      ...{ edge: cloud.ctx.edge, counters: engines.counters, publicUrl, log, ...edgeLimitsOf(config) },
    }),
    trpc: createTrpcSurface({
      ...{ pipeline, authenticate: session, publicUrl },
      onInternal: (err, meta) => log.error({ err, request_id: meta.requestId }, "a dashboard call failed"),
    }),
    ...{ account, session, ads: ads.ctx, cloud: cloud.ctx, settle: alarms.settle },
    ...{ endWaits: cloud.endWaits, scrubbedBlobs: cloud.scrubbed, functionsMissing: cloud.functionsMissing },
    ...{ catalogSize: ads.catalogSize, lostFacts: ads.lostFacts, vectors: ads.vectors },
    ...{ catalog: ctx.catalog, ignoredImpressionIds: () => ctx.ignoredIds.count },
    stop: () => stops.stop(),
  };
}

async function startWork(
  parts: readonly { crontab: string; everyMinute?: MinuteTasks }[],
  work: Omit<Parameters<typeof startJobs>[0], "crontab" | "everyMinute">,
  stops: StopStack,
): Promise<void> {
  const crontab = parts.map((part) => part.crontab).join("\n");
  const everyMinute = Object.assign({}, ...parts.map((part) => part.everyMinute)) as MinuteTasks;
  const jobs = await startJobs({ ...work, crontab, everyMinute });
  stops.push("jobs", () => jobs.stop());
}
