import type { RequestListener, Server } from "node:http";
import { pino } from "pino";
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
import { PEER_ADDRESS_HEADER, provideSurfaces } from "./surfaces";
import { welcome } from "./welcome";

const DRAIN_MS = 10_000;

export interface RunningServer {
  config: Config;
  app: App;
  engines: Engines;
  demo: Demo | undefined;
  /** Takes no new requests, finishes those under way (10 s at most), then stops loops and engines. */
  stop(): Promise<void>;
}

/** The whole process: engines, pages, HTTP. Throws one sentence that says what to do when it cannot start. */
export async function startServer(
  config: Config,
  { atStep, openPages = startNext }: { atStep?: AtStep; openPages?: OpenPages } = {},
): Promise<RunningServer> {
  const clientAddress = createClientAddress(config.trustedProxies);
  const log = pino({ level: config.logLevel, base: null });
  const { server, serve } = createHttpServer(config.tls);
  await listen(server, config);
  const progress = (step: string) => process.stderr.write(`svc: ${step} …\n`);
  const pagesReady = openPages(config, server);
  pagesReady.catch(() => undefined);
  const onClaimLost = () => {
    log.fatal("another svc process took over this database; stopping");
    process.kill(process.pid, "SIGTERM");
  };
  const engines = await startEngines(config, { log, progress, onClaimLost }).catch(async (failure: unknown) => {
    server.close();
    await pagesReady.catch(() => undefined);
    throw failure;
  });
  const account = await createAccount(config, { engines, clock: systemClock, log });
  const demo = await openDemo(config, { engines, account });
  const app = await createApp(config, { engines, account, log, ...(atStep ? { atStep } : {}) });
  const state = { stopping: false };
  const direct = directPaths(config, { app, engines, isStopping: () => state.stopping });
  provide(config, { app, demo, direct });
  serve({ direct: direct.paths, pages: (await pagesReady).listener, clientAddress, tls: config.tls });
  welcome(config, demo);
  const stop = async () => {
    state.stopping = true;
    await drain(server);
    await (await pagesReady).close();
    await app.stop();
    await engines.stop();
  };
  return { config, app, engines, demo, stop };
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

export interface Pages {
  listener: RequestListener;
  close: () => Promise<void>;
}

export type OpenPages = (config: Config, server: Server) => Promise<Pages>;

/** Next, inside this process; it reads the built pages, or compiles them as they are asked for while developing. */
export async function startNext(config: Config, server: Server): Promise<Pages> {
  const { default: next } = await import("next");
  const pages = next({
    dev: config.dev,
    dir: config.rootDir,

    port: config.port,
    httpServer: server,
  });
  await pages.prepare();
  const handle = pages.getRequestHandler();
  return { listener: (incoming, outgoing) => void handle(incoming, outgoing), close: () => pages.close() };
}

/** Hands the surfaces to the pages; Next's own way to an API leads to the same handlers. */
function provide(config: Config, { app, demo, direct }: { app: App; demo: Demo | undefined; direct: Direct }): void {
  const addressOf = (headers: Headers) => headers.get(PEER_ADDRESS_HEADER) ?? "";
  const { publicUrl, signup, isLoopback } = config;
  provideSurfaces({
    ...{ publicUrl, signup, isLoopback, hasOutbox: app.account.mail.delivery === "outbox" },
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
