import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { ERROR_STATUS, ServiceError } from "../../kernel/errors";
import { namesType } from "../../kernel/media-type";
import { asServiceError } from "../../operation/as-service-error";
import { requestIdOf } from "../../operation/request-meta";
import { errorResponse } from "../http/error-response";

/** Handles all requests outside the direct paths. */
export interface Pages {
  listener: RequestListener;
  /** Takes requests for an upgrade; only in development. */
  upgrade?: (...request: [IncomingMessage, Duplex, Buffer]) => void;
  /** The first names of the paths of all pages, of their old addresses and files; undefined in development. */
  names?: ReadonlySet<string>;
  close: () => Promise<void>;
}

/** The configuration that Next needs. */
export interface PagesConfig {
  dev: boolean;
  rootDir: string;
  port: number;
}

export type OpenPages = (config: PagesConfig, log: Logger) => Promise<Pages>;

/** Runs Next in this process; it serves the built pages, or compiles them on request in development. */
export async function startNext(config: PagesConfig, log: Logger): Promise<Pages> {
  const { default: next } = await import("next");
  // Next keeps the socket of every upgrade request open, which would prevent the server from stopping. So it gets a
  // server that no one can reach; only its development server needs upgrades.
  const httpServer = createServer();
  const pages = next({ dev: config.dev, dir: config.rootDir, port: config.port, httpServer });
  await pages.prepare();
  return {
    listener: listenerOf(pages.getRequestHandler(), log),
    ...(config.dev
      ? { upgrade: (...request) => void httpServer.emit("upgrade", ...request) }
      : { names: pageNames(JSON.parse(await readFile(path.join(config.rootDir, ROUTES), "utf8"))) }),
    close: () => pages.close(),
  };
}

/** What Next's build says of the routes. */
interface Routes {
  staticRoutes: readonly { page: string }[];
  dynamicRoutes: readonly { page: string }[];
  redirects: readonly { source: string }[];
}

/** The first names of the paths of routes. */
export const pageNames = ({ staticRoutes, dynamicRoutes, redirects }: Routes): Set<string> =>
  new Set(
    [...staticRoutes, ...dynamicRoutes]
      .map(({ page }) => page)
      .concat(redirects.map(({ source }) => source))
      .map((route) => route.split("/", 2)[1] ?? ""),
  );

/** The handler of a process without the role `web`. */
export const noPages: OpenPages = async () => ({
  listener: (_incoming, outgoing) =>
    void send(
      outgoing,
      new ServiceError("not_found", "This process serves no pages and no API, because its ROLE is worker."),
    ),
  close: async () => undefined,
});

/**
 * Responds with `handle`; if it fails, the error is logged and becomes an `internal` error, or the connection is
 * closed.
 */
export function listenerOf(
  handle: (...args: Parameters<RequestListener>) => Promise<void>,
  log: Logger,
): RequestListener {
  return (incoming, outgoing) => {
    handle(incoming, outgoing).catch((failure: unknown) => {
      log.error({ err: failure, request_id: outgoing.getHeader("x-request-id") }, "a page failed");
      if (outgoing.headersSent) outgoing.destroy();
      else void send(outgoing, failure);
    });
  };
}

const ROUTES = ".next/routes-manifest.json";
const ASSETS = "/_next/";

/**
 * Checks first that the visitor's session can be read: otherwise the response is 503, instead of a page that fails
 * while it is rendered.
 */
export function withSessions(pages: RequestListener, readSession: (cookie: string | null) => Promise<unknown>) {
  const listener: RequestListener = (incoming, outgoing) => {
    const { cookie } = incoming.headers;
    if (cookie === undefined || incoming.url?.startsWith(ASSETS)) return pages(incoming, outgoing);
    readSession(cookie).then(
      () => pages(incoming, outgoing),
      (failure: unknown) => {
        if (namesType(incoming.headers.accept, "text/html")) sendPage(outgoing, asServiceError(failure));
        else void send(outgoing, failure);
      },
    );
  };
  return listener;
}

function sendPage(outgoing: ServerResponse, { code, message, retryAfterSeconds = 1 }: ServiceError): void {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    "retry-after": String(retryAfterSeconds),
  };
  const text = `<!doctype html><html lang="en"><title>svc is unavailable</title><h1>svc is unavailable</h1><p>${message}</p></html>`;
  outgoing.writeHead(ERROR_STATUS[code], headers).end(text);
}

async function send(outgoing: ServerResponse, failure: unknown): Promise<void> {
  const requestId = requestIdOf(outgoing.getHeader("x-request-id")?.toString());
  const response = errorResponse(failure, requestId);
  const headers = { ...Object.fromEntries(response.headers), "x-request-id": requestId, "cache-control": "no-store" };
  outgoing.writeHead(response.status, headers).end(await response.text());
}
