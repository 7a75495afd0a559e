import type { Server } from "node:http";
import { type Logger, pino } from "pino";
import type { AtStep } from "./ads/events/steps";
import { type App, createAccount, createApp } from "./app";
import type { Config } from "./config";
import { type Demo, openDemo } from "./demo";
import { type Direct, directPaths } from "./direct-paths";
import { type Engines, startEngines } from "./engines/start-engines";
import { createClientAddress } from "./http/client-address";
import { createHttpServer } from "./http/create-server";
import { factsOf } from "./http/request-facts";
import { systemClock } from "./kernel/clock";
import { noPages, type OpenPages, type Pages, startNext } from "./pages";
import { PEER_ADDRESS_HEADER, provideSurfaces } from "./surfaces";
import { welcome } from "./welcome";

const DRAIN_MS = 10_000;
/** All that a process without the role `web` answers. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

export interface RunningServer {
  config: Config;
  app: App;
  engines: Engines;
  demo: Demo | undefined;
  /** Takes no new requests, finishes those under way (10 s at most), then stops loops and engines. */
  stop(): Promise<void>;
}

export interface StartServer {
  atStep?: AtStep;
  openPages?: OpenPages;
  /** Gives the start up at its next step; it then stops what runs and throws the signal's reason. */
  signal?: AbortSignal;
}

/** The whole process: engines, pages, HTTP. Throws one sentence that says what to do when it cannot start. */
export async function startServer(config: Config, options: StartServer = {}): Promise<RunningServer> {
  const clientAddress = createClientAddress(config.trustedProxies);
  const log = pino({ level: config.logLevel, base: null });
  const { server, serve } = createHttpServer({ tls: config.tls, publicUrl: config.publicUrl, log });
  await listen(server, config);
  const isWeb = config.roles.has("web");
  const { openPages = startNext } = options;
  const pagesReady = (isWeb ? openPages : noPages)(config, server, log);
  pagesReady.catch(() => undefined);
  const state: StopState = { server, pagesReady, stopping: false };
  try {
    const { engines, app, demo } = await startParts(config, { state, log, options });
    const direct = directPaths(config, { app, engines, isStopping: () => state.stopping });
    const paths = isWeb ? direct.paths : direct.paths.filter(({ path }) => PROBES.has(path));
    const pages = await pagesReady;
    options.signal?.throwIfAborted();
    if (isWeb) provide(config, { app, demo, direct });
    serve({ direct: paths, pages: pages.listener, clientAddress });
    welcome(config, demo);
    return { config, app, engines, demo, stop: () => stopServer(state, log) };
  } catch (failure) {
    // Why it did not start says more than why it did not stop, and that is in the log.
    await stopServer(state, log).catch(() => undefined);
    throw failure;
  }
}

interface StopState {
  server: Server;
  pagesReady: Promise<Pages>;
  engines?: Engines;
  app?: App;
  stopping: boolean;
}

/** Notes each part as soon as it runs, so that a failure of the next one leaves nothing behind. */
async function startParts(
  config: Config,
  { state, log, options: { atStep, signal } }: { state: StopState; log: Logger; options: StartServer },
) {
  const progress = (step: string) => process.stderr.write(`svc: ${step} …\n`);
  const onClaimLost = () => {
    log.fatal("another svc process took over this database; stopping");
    process.kill(process.pid, "SIGTERM");
  };
  const engines = await startEngines(config, { log, progress, onClaimLost });
  state.engines = engines;
  signal?.throwIfAborted();
  const account = await createAccount(config, { engines, clock: systemClock, log });
  const demo = config.roles.has("web") ? await openDemo(config, { engines, account }) : undefined;
  signal?.throwIfAborted();
  const app = await createApp(config, { engines, account, log, ...(atStep ? { atStep } : {}) });
  state.app = app;
  return { engines, app, demo };
}

/** Goes through every step even when one fails; then throws one sentence that names the failed ones. */
async function stopServer(state: StopState, log: Logger): Promise<void> {
  state.stopping = true;
  const steps: [string, () => Promise<void> | undefined][] = [
    ["requests", () => drain(state.server)],
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
  if (failed.length > 0) throw new Error(`svc did not stop cleanly (${failed.join(", ")}); the log above says why.`);
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        reject(
          new Error(
            `Port ${port} is taken: stop the program that uses it, or choose another one with PORT=${port + 1}.`,
          ),
        );
      } else if (error.code === "EACCES") {
        reject(new Error(`Port ${port} needs more rights than this user has: choose one above 1023 with PORT=3000.`));
      } else reject(error);
    });
    server.listen(port, host, resolve);
  });
}

/** Hands the surfaces to the pages; Next's own way to an API leads to the same handlers. */
function provide(config: Config, { app, demo, direct }: { app: App; demo: Demo | undefined; direct: Direct }): void {
  const addressOf = (headers: Headers) => headers.get(PEER_ADDRESS_HEADER) ?? "";
  const { publicUrl, isLoopback } = config;
  provideSurfaces({
    ...{ publicUrl, isLoopback, mailDelivery: app.account.mail.delivery },
    signUpMode: () => app.account.signUpMode.current(),
    offers: (request) => direct.offers.fetch(request, { address: addressOf(request.headers) }),
    cloud: (request) => direct.cloud.fetch(request, { address: addressOf(request.headers) }),
    trpc: {
      handle: (request) => app.trpc.handle(request, factsOf(request, { address: addressOf(request.headers) })),
      caller: (headers) => app.trpc.caller(headers, factsOf({ headers }, { address: addressOf(headers) })),
    },
    session: (headers) => app.session(headers.get("cookie")),
    demo: () => demo && { browserKey: demo.channel.browser_key },
  });
}

/** Resolves when no request is under way, or after 10 s with what is left cut off. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
