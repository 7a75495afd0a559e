import { type Logger, pino } from "pino";
import { type Demo, openDemo } from "./ads/demo/open-demo";
import type { AtStep } from "./ads/events/steps";
import { type App, type AppParts, createApp } from "./app";
import type { AtChatStep } from "./cloud/ai/ledger/steps";
import { podCatalog } from "./cloud/compute/pods/pod-catalog";
import type { AtResourceStep } from "./cloud/core/reconciler/steps";
import type { AtWebhookStep } from "./cloud/events/webhooks/steps";
import type { Config } from "./config";
import { type Direct, directPaths } from "./direct-paths";
import { type Engines, startEngines } from "./engines/start-engines";
import { ALL_EVENT_KINDS } from "./event-kinds";
import { toListedEventKind } from "./identity/events/list-event-kinds";
import { createHasher } from "./identity/users/hasher";
import { systemClock } from "./kernel/clock";
import { listen } from "./listen";
import { requestMetaOf } from "./operation/request-meta";
import { provideSurfaces } from "./surfaces";
import { createClientAddress, trusts } from "./surfaces/http/client-address";
import { createHttpServer } from "./surfaces/http/create-server";
import { FORWARDED_HEADER, PEER_ADDRESS_HEADER } from "./surfaces/http/forwarding-headers";
import { gracefulClose } from "./surfaces/http/graceful-close";
import { limitConnections } from "./surfaces/http/limit-connections";
import type { ReadAllMetrics } from "./surfaces/http/metrics";
import { PROBE_PATHS } from "./surfaces/http/probes";
import { shownTools } from "./surfaces/mcp/shown-tools";
import { noPages, type OpenPages, type Pages, startNext, withSessions } from "./surfaces/pages/pages";
import { welcome } from "./welcome";

export interface RunningServer {
  config: Config;
  app: App;
  engines: Engines;
  demo: Demo | undefined;
  /** Accepts no new requests, finishes current ones (within 10 s), then stops loops and engines. */
  stop(): Promise<void>;
}

export interface StartServer {
  atStep?: AtStep;
  atWebhookStep?: AtWebhookStep;
  atChatStep?: AtChatStep;
  atResourceStep?: AtResourceStep;
  replaceAgentHandlers?: AppParts["replaceAgentHandlers"];
  openPages?: OpenPages;
  /** Reads the metrics of all processes; by default those of this process alone. */
  readAllMetrics?: ReadAllMetrics;
  /** Cancels the start at its next step; svc then stops what is running and throws the signal's reason. */
  signal?: AbortSignal;
}

/** Starts engines, pages and HTTP. If it cannot start, it throws one message that says what to do. */
export async function startServer(config: Config, options: StartServer = {}): Promise<RunningServer> {
  const clientAddress = createClientAddress(config.trustedProxies);
  // Several processes write to the same log.
  const log = pino({ level: config.logLevel, base: config.member ? { pid: process.pid } : null });
  const { tls, publicUrl, allowedHosts, s3Host, workspacesDomain, edgeDomain } = config;
  const hosts = { publicUrl, allowedHosts, s3Host, workspacesDomain, edgeDomain };
  const { server, serve } = createHttpServer({ tls, ...hosts, log });
  limitConnections(server, { perClient: config.httpConnectionsMax, isProxy: trusts(config.trustedProxies) });
  const closeServer = gracefulClose(server);
  // One of several processes leaves requests to the others until it can handle them.
  if (!config.member) await listen(server, config);
  const isWeb = config.roles.has("web");
  const { openPages = startNext, readAllMetrics } = options;
  const pagesReady = (isWeb ? openPages : noPages)(config, log);
  pagesReady.catch(() => undefined);
  // While Next is loaded nothing else runs, and connecting to engines that run already would fail for lateness.
  if (config.member) await pagesReady.catch(() => undefined);
  const state: StopState = { closeServer, pagesReady, stopping: false };
  try {
    const { engines, app, demo } = await startParts(config, { state, log, options });
    const isStopping = () => state.stopping;
    const direct = directPaths(config, { app, engines, isStopping, ...(readAllMetrics ? { readAllMetrics } : {}) });
    const paths = isWeb ? direct.paths : direct.paths.filter(({ path }) => PROBE_PATHS.has(path));
    const pages = await pagesReady;
    options.signal?.throwIfAborted();
    if (isWeb) provide(config, { app, demo, direct });
    const streams = isWeb ? direct.streams : [];
    const listener = withSessions(pages.listener, app.session);
    const rest = isWeb ? direct.rest : undefined;
    const { upgrade: upgradePages, names: pageNames } = pages;
    serve({ direct: paths, streams, rest, pageNames, pages: listener, upgradePages, clientAddress });
    if (config.member) await listen(server, config);
    else welcome(config, demo);
    return { config, app, engines, demo, stop: () => stopServer(state, log) };
  } catch (failure) {
    // The reason of the failed start matters more than a failed stop, which is logged.
    await stopServer(state, log).catch(() => undefined);
    throw failure;
  }
}

interface StopState {
  closeServer: () => Promise<void>;
  pagesReady: Promise<Pages>;
  engines?: Engines;
  app?: App;
  stopping: boolean;
}

/** Stores each part in `state` as soon as it runs, so that a later failure can stop it. */
async function startParts(
  config: Config,
  {
    state,
    log,
    options: { atStep, atWebhookStep, atChatStep, atResourceStep, replaceAgentHandlers, signal },
  }: { state: StopState; log: Logger; options: StartServer },
) {
  const progress = (step: string) => void (config.member || process.stderr.write(`svc: ${step} …\n`));
  const onClaimLost = () => {
    log.fatal("another svc process took over this database; stopping");
    process.kill(process.pid, "SIGTERM");
  };
  const engines = await startEngines(config, { log, progress, onClaimLost });
  state.engines = engines;
  signal?.throwIfAborted();
  const hasher = await createHasher();
  const demo = await demoOf(config, { engines, account: { db: engines.db, clock: systemClock, hasher } });
  signal?.throwIfAborted();
  const app = await createApp(config, {
    engines,
    hasher,
    log,
    atWebhookStep,
    atChatStep,
    atResourceStep,
    ...(replaceAgentHandlers ? { replaceAgentHandlers } : {}),
    ...(atStep ? { atStep } : {}),
  });
  state.app = app;
  return { engines, app, demo };
}

/** One of several processes uses the demo that the first one opened. */
async function demoOf(config: Config, parts: Parameters<typeof openDemo>[1]): Promise<Demo | undefined> {
  if (config.member?.demo) return config.member.demo.opened;
  return config.roles.has("web") ? openDemo(config, parts) : undefined;
}

/** Runs every step even if one fails; then throws one message that names the failed steps. */
async function stopServer(state: StopState, log: Logger): Promise<void> {
  state.stopping = true;
  state.app?.endWaits();
  const steps: [string, () => Promise<void> | undefined][] = [
    ["requests", () => state.closeServer()],
    [
      "pages",
      () =>
        state.pagesReady.then(
          (pages) => pages.close(),
          () => undefined,
        ),
    ],
    ["loops", () => state.app?.stop()],
    ["engines", () => state.engines?.stop()],
  ];
  const failed: string[] = [];
  for (const [name, step] of steps) {
    try {
      await step();
    } catch (err) {
      log.error({ err }, `stopping failed: ${name}`);
      failed.push(name);
    }
  }
  if (failed.length > 0)
    throw new Error(`svc did not stop cleanly (${failed.join(", ")}); see the log above for the reasons.`);
}

/** Gives the pages access to the surfaces; API requests that arrive through Next reach the same handlers. */
function provide(config: Config, { app, demo, direct }: { app: App; demo: Demo | undefined; direct: Direct }): void {
  const addressOf = (headers: Headers) => headers.get(PEER_ADDRESS_HEADER) ?? "";
  const trpcFactsOf = (headers: Headers) => ({
    ...requestMetaOf({ headers }, { address: addressOf(headers) }),
    isForwarded: headers.get(FORWARDED_HEADER) !== "false",
  });
  const { publicUrl, isLoopback } = config;
  provideSurfaces({
    publicUrl,
    isLoopback,
    mailDelivery: app.account.mail.delivery,
    eventKinds: ALL_EVENT_KINDS.map(toListedEventKind),
    podCatalog: podCatalog(config.currency),
    agentTools: shownTools,
    signUpMode: () => app.account.signUpMode.current(),
    offers: (request) => direct.offers.fetch(request, { address: addressOf(request.headers) }),
    cloud: (request) => direct.cloud.fetch(request, { address: addressOf(request.headers) }),
    trpc: {
      handle: (request) => app.trpc.handle(request, trpcFactsOf(request.headers)),
      caller: (headers) => app.trpc.caller(headers, trpcFactsOf(headers)),
    },
    session: (headers) => app.session(headers.get("cookie")),
    demo: () => demo && { browserKey: demo.channel.browser_key },
  });
}
