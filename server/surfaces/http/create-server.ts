import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import { ByteBudget, bodyMemoryExhausted } from "../../kernel/byte-budget";
import { ERROR_STATUS, ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { type Peer, requestIdOf } from "../../operation/request-meta";
import { admitBody } from "./admit-body";
import { bodyParsed, boundBody } from "./bound-body";
import { createHostCheck, type HostOptions } from "./check-host";
import type { ClientAddress } from "./client-address";
import { respondToClientError } from "./client-error";
import { errorResponse } from "./error-response";
import { FORWARDED_HEADER, isForwarded, PEER_ADDRESS_HEADER } from "./forwarding-headers";
import { isEarlyForm, sendRefusal, sendReload, targetRefusal } from "./refuse-target";
import { isWebSocket, responseOn, serveWithoutUpgrade } from "./upgrade-requests";

/** A path, or all paths below it, that the server handles without Next. */
export interface DirectPath {
  /** An exact path, or a prefix if it ends in "/". */
  path: string;
  answer: (request: Request, peer: Peer) => Promise<Response> | Response;
}

/** A surface that takes Node's own requests, because long bodies pass faster without web streams. */
export interface StreamSurface {
  takes(incoming: IncomingMessage): boolean;
  /** Whether it also takes requests that ask for a WebSocket; without, they are served as if they did not. */
  upgrades?: true;
  /** Sends `100 Continue` itself, when it begins to read a body. Never throws. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, client: StreamClient): void;
}

/** A surface that takes what is left: requests whose path begins with no name of a page or of a direct path. */
export interface RestSurface extends Pick<StreamSurface, "serve"> {
  /** Whether it could take a path, without looking anything up. */
  mayTake(path: string): boolean;
  takes(path: string): Promise<boolean>;
}

export interface StreamClient extends Peer {
  /** What followed a request that asks for a WebSocket; undefined for any other. */
  head?: Buffer | undefined;
}

/** With an https `publicUrl` every response has Strict-Transport-Security. */
export interface ServerOptions extends HostOptions {
  tls: { certFile: string; keyFile: string } | undefined;
  /** Logs errors that occur outside of every surface. */
  log: Pick<Logger, "error" | "info">;
}

export interface ServerParts {
  direct: readonly DirectPath[];
  /** Asked before `direct`. */
  streams?: readonly StreamSurface[];
  /** Asked where `direct` has no path and `pageNames` does not have the first name of the path. */
  rest?: RestSurface | undefined;
  /** The first names of the paths of all pages; without them there is no `rest`. */
  pageNames?: ReadonlySet<string> | undefined;
  /** Handles all other requests. */
  pages: RequestListener;
  /** Takes all other requests for an upgrade; by default they are served as if they did not ask for one. */
  upgradePages?: ((...request: [IncomingMessage, Duplex, Buffer]) => void) | undefined;
  clientAddress: ClientAddress;
  /** For the bodies of all requests but those of `streams`; by default 512 MiB. */
  bodies?: ByteBudget;
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, head?: Buffer) => void;

const BODIES_BYTES_MAX = 512 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
/** Longer than proxies and clients keep an idle connection (nginx and load balancers: 60 s), so that they close it and no request meets a closing one. */
const KEEP_ALIVE_MS = 75_000;
/** Two years, as the preload lists of browsers require. */
const ONLY_HTTPS = { "Strict-Transport-Security": "max-age=63072000; includeSubDomains; preload" };
/** Node's own response to a request without Host has no request id. */
const OPTIONS = { requireHostHeader: false };

/** Creates the HTTP server before the surfaces exist: it listens immediately and responds that svc is starting. */
export function createHttpServer({ tls, log, ...hosts }: ServerOptions): {
  server: Server;
  serve: (parts: ServerParts) => void;
} {
  const { publicUrl } = hosts;
  const checkHost = createHostCheck(hosts);
  let streams: readonly StreamSurface[] = [];
  let listener: Listener = answerStarting;
  let mayBeRest = (_path: string): boolean => false;
  let upgradePages: ServerParts["upgradePages"];
  const heads = new WeakMap<IncomingMessage, Buffer>();
  const headers: Record<string, string> = new URL(publicUrl).protocol === "https:" ? ONLY_HTTPS : {};
  const latest = new WeakMap<Duplex, ServerResponse>();
  const onRequest: RequestListener = (incoming, outgoing) => {
    // After `Connection: close` no further request is handled, although the rest of a body is still read.
    if (incoming.socket.writableEnded) return void incoming.socket.destroy();
    latest.set(incoming.socket, outgoing);
    for (const name in headers) outgoing.setHeader(name, headers[name] ?? "");
    try {
      checkHost(incoming);
    } catch (failure) {
      return refuse(failure, incoming, outgoing);
    }
    incoming.url = originForm(incoming.url);
    return listener(incoming, outgoing, heads.get(incoming));
  };
  const server = tls ? createTlsServer({ ...OPTIONS, ...readPair(tls) }, onRequest) : createServer(OPTIONS, onRequest);
  // A surface of streams can reject an upload before its body is sent.
  server.on("checkContinue", (incoming, outgoing) => {
    if (!streams.some((surface) => surface.takes(incoming)) && !mayBeRest(pathOf(incoming))) outgoing.writeContinue();
    server.emit("request", incoming, outgoing);
  });
  // RFC 9110, section 10.1.1 lets a server ignore every other expectation; Node alone would answer 417.
  server.on("checkExpectation", (incoming, outgoing) => void server.emit("request", incoming, outgoing));
  server.on("upgrade", (incoming, socket, head) => {
    const request = { incoming, socket, head };
    socket.on("error", () => socket.destroy());
    const isTaken = isWebSocket(incoming) && streams.some((surface) => surface.upgrades && surface.takes(incoming));
    const begin = () => {
      if (!isTaken && upgradePages) return upgradePages(incoming, socket, head);
      if (!isTaken) return serveWithoutUpgrade(server, request);
      heads.set(incoming, head);
      server.emit("request", incoming, responseOn(request));
    };
    // Responses to earlier requests of the connection come first.
    const before = latest.get(socket);
    if (before && !before.writableFinished && !before.destroyed) before.once("close", begin);
    else begin();
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // A product feed may take any time; the code that reads a body limits it.
  server.requestTimeout = 0;
  server.on("clientError", (error, socket) =>
    respondToClientError(error, socket, { latest: latest.get(socket), headers }),
  );
  return {
    server,
    serve: (parts) => {
      streams = parts.streams ?? [];
      upgradePages = parts.upgradePages;
      mayBeRest = restOf(parts);
      listener = listenerOf({ ...parts, mayBeRest }, log);
    },
  };
}

function readPair({ certFile, keyFile }: NonNullable<ServerOptions["tls"]>) {
  const pair = { cert: readPem("TLS_CERT", certFile), key: readPem("TLS_KEY", keyFile) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new Error("TLS_CERT and TLS_KEY must be a certificate and its key in PEM format: check both files.", {
      cause,
    });
  }
  return { ...pair, minVersion: "TLSv1.3" as const };
}

function readPem(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error(`${variable}: ${file} cannot be read; set it to a PEM file that the user of svc may read.`, {
      cause,
    });
  }
}

const firstName = (path: string): string => path.split("/", 2)[1] ?? "";

/** Whether a path could be one of `rest`. */
function restOf({ direct, rest, pageNames }: ServerParts): (path: string) => boolean {
  if (!rest || !pageNames) return () => false;
  const names = new Set([...pageNames, ...direct.map(({ path }) => firstName(path))]);
  return (path) => rest.mayTake(path) && !names.has(firstName(path));
}

function listenerOf(
  parts: ServerParts & { mayBeRest: (path: string) => boolean },
  log: ServerOptions["log"],
): Listener {
  const { direct, streams = [], rest, mayBeRest, clientAddress } = parts;
  const exact = new Map(direct.filter(({ path }) => !path.endsWith("/")).map(({ path, answer }) => [path, answer]));
  const below = direct.filter(({ path }) => path.endsWith("/"));
  const find = (path: string) => exact.get(path) ?? below.find((candidate) => path.startsWith(candidate.path))?.answer;
  const answerOther = otherListener(parts, { find, log });
  return (incoming, outgoing, head) => {
    const serve = (stream: Pick<StreamSurface, "serve">) => {
      boundBody(incoming, outgoing, { mayBeLong: true });
      return stream.serve(incoming, outgoing, { address: clientAddress(incoming), head });
    };
    const stream = streams.find((surface) => surface.takes(incoming));
    if (stream) return serve(stream);
    const path = pathOf(incoming);
    if (!rest || !mayBeRest(path)) return answerOther(incoming, outgoing);
    void rest.takes(path).then((isTaken) => {
      if (isTaken) return serve(rest);
      if (incoming.headers.expect?.toLowerCase() === "100-continue") outgoing.writeContinue();
      return answerOther(incoming, outgoing);
    });
  };
}

interface Others {
  find: (path: string) => DirectPath["answer"] | undefined;
  log: ServerOptions["log"];
}

/** Serves the direct paths and the pages. */
function otherListener(
  { pages, clientAddress, bodies = new ByteBudget(BODIES_BYTES_MAX) }: ServerParts,
  { find, log }: Others,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const answerDirect = directListener(async (request, incoming) => {
    const answer = find(pathOf(incoming)) ?? notFound;
    const response = await answer(request, { address: clientAddress(incoming) });
    // Most requests are complete by now, and a promise costs more than this comparison.
    if (!incoming.complete) await bodyParsed(incoming);
    return response;
  }, log);
  return (incoming, outgoing) => {
    const path = pathOf(incoming);
    const isDirect = find(path) !== undefined;
    boundBody(incoming, outgoing, { mayBeLong: isDirect });
    if (!admitBody(bodies, { incoming, outgoing, address: clientAddress(incoming) }))
      return send(bodyMemoryExhausted(), incoming, outgoing);
    if (isDirect) return answerDirect(incoming, outgoing);
    const requestId = idOf(incoming);
    const refusal = targetRefusal(incoming, path);
    if (refusal) {
      const { method } = incoming;
      log.info({ request_id: requestId, method, path: path.slice(0, 200), code: refusal.code }, refusal.message);
      return void bodyParsed(incoming).then(() =>
        isEarlyForm(incoming, refusal)
          ? sendReload(outgoing, incoming, requestId)
          : sendRefusal(outgoing, { refusal, path, requestId }),
      );
    }
    incoming.headers[PEER_ADDRESS_HEADER] = clientAddress(incoming);
    incoming.headers[FORWARDED_HEADER] = String(isForwarded(Object.keys(incoming.headers)));
    // Next's handlers read the same request id that the response has.
    incoming.headers["x-request-id"] = requestId;
    outgoing.setHeader("X-Request-ID", requestId);
    return pages(incoming, outgoing);
  };
}

/** Converts Node's requests to Requests; failures on the way get a response with the same request id. */
function directListener(
  answer: (request: Request, incoming: IncomingMessage) => Promise<Response>,
  log: ServerOptions["log"],
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  let beginning: IncomingMessage | undefined;
  const listener = getRequestListener(
    (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      return answer(request, incoming).catch((failure: unknown) => answerBroken(failure, incoming, log));
    },
    // Only conversion errors are caught here, and they are thrown before the call below returns.
    { errorHandler: (failure) => answerBroken(failure, beginning, log) },
  );
  return (incoming, outgoing) => {
    beginning = incoming;
    void listener(incoming, outgoing);
    beginning = undefined;
  };
}

const idOf = ({ headers }: IncomingMessage): string => requestIdOf(headers["x-request-id"]?.toString());

function notFound({ headers }: Request): Response {
  const requestId = requestIdOf(headers.get("x-request-id"));
  return named(
    errorResponse(new ServiceError("not_found", "There is no resource at this path."), requestId),
    requestId,
  );
}

/** Only the path of an absolute target is used; its host has already been checked (RFC 9112 section 3.2.2). */
function originForm(target = "/"): string {
  const [absolute] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [];
  if (absolute === undefined) return target;
  const path = target.slice(absolute.length);
  return path.startsWith("/") ? path : `/${path}`;
}

function pathOf(incoming: IncomingMessage): string {
  const url = incoming.url ?? "/";
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** Responds to an invalid URL, or to an error that no surface caught, which is logged with its cause. */
function answerBroken(failure: unknown, incoming: IncomingMessage | undefined, log: ServerOptions["log"]): Response {
  const requestId = incoming ? idOf(incoming) : requestIdOf(null);
  const isMalformed = failure instanceof RequestError;
  const error = isMalformed ? new ServiceError("invalid_request", "This is not a well-formed HTTP request.") : failure;
  const { code, message, cause } = asServiceError(error);
  if (ERROR_STATUS[code] >= 500) {
    const path = incoming && pathOf(incoming);
    log.error({ request_id: requestId, method: incoming?.method, path, code, err: cause ?? failure }, message);
  }
  return named(errorResponse(error, requestId), requestId);
}

function named(response: Response, requestId: string): Response {
  response.headers.set("x-request-id", requestId);
  response.headers.set("cache-control", "no-store");
  return response;
}

const answerStarting: Listener = (incoming, outgoing) => {
  const error = new ServiceError("unavailable", "svc is starting.", {
    retryAfterSeconds: 1,
    details: { reason: "starting" },
  });
  send(error, incoming, outgoing);
};

/** Closes the connection: no other request on it can be intended for svc. */
function refuse(failure: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  boundBody(incoming, outgoing, { mayBeLong: false });
  outgoing.setHeader("Connection", "close");
  send(failure, incoming, outgoing);
}

function send(failure: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const requestId = idOf(incoming);
  const response = named(errorResponse(failure, requestId), requestId);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  void response.text().then((text) => outgoing.end(text));
}
