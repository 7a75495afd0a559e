import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import { ERROR_STATUS, ServiceError } from "../kernel/errors";
import { PEER_ADDRESS_HEADER } from "../surfaces";
import { boundBody } from "./bound-body";
import type { ClientAddress } from "./client-address";
import { answerClientError } from "./client-error";
import { asServiceError, errorResponse } from "./error-response";
import { type Peer, requestIdOf } from "./request-facts";

/** A part of the URL space that is answered here, before Next is asked. */
export interface DirectPath {
  /** Exact, or with everything below it when it ends in "/". */
  path: string;
  answer: (request: Request, peer: Peer) => Promise<Response> | Response;
}

export interface ServerOptions {
  tls: { certFile: string; keyFile: string } | undefined;
  /** With https every answer tells browsers to use nothing else. */
  publicUrl: string;
  /** Gets what failed outside of every surface. */
  log: Pick<Logger, "error">;
}

export interface ServerParts {
  direct: readonly DirectPath[];
  /** Everything else. */
  pages: RequestListener;
  clientAddress: ClientAddress;
}

const HEADERS_TIMEOUT_MS = 30_000;
/** Two years, as browsers' preload lists ask for. */
const ONLY_HTTPS = { "Strict-Transport-Security": "max-age=63072000; includeSubDomains; preload" };
/** Node's own answer to a request without Host would carry no request id. */
const OPTIONS = { requireHostHeader: false };

/** The HTTP server before anything is behind it: it takes the port at once and says that svc is starting. */
export function createHttpServer({ tls, publicUrl, log }: ServerOptions): {
  server: Server;
  serve: (parts: ServerParts) => void;
} {
  let listener: RequestListener = answerStarting;
  const headers: Record<string, string> = new URL(publicUrl).protocol === "https:" ? ONLY_HTTPS : {};
  const latest = new WeakMap<Duplex, ServerResponse>();
  const onRequest: RequestListener = (incoming, outgoing) => {
    latest.set(incoming.socket, outgoing);
    for (const name in headers) outgoing.setHeader(name, headers[name] ?? "");
    return listener(incoming, outgoing);
  };
  const server = tls ? createTlsServer({ ...OPTIONS, ...readPair(tls) }, onRequest) : createServer(OPTIONS, onRequest);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  // A product feed takes as long as it takes; whoever reads a body bounds it.
  server.requestTimeout = 0;
  server.on("clientError", (error, socket) =>
    answerClientError(error, socket, { latest: latest.get(socket), headers }),
  );
  return {
    server,
    serve: (parts) => {
      listener = listenerOf(parts, log);
    },
  };
}

function readPair({ certFile, keyFile }: NonNullable<ServerOptions["tls"]>) {
  const pair = { cert: readPem("TLS_CERT", certFile), key: readPem("TLS_KEY", keyFile) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new Error("TLS_CERT and TLS_KEY are not a certificate and its key in PEM: check both files.", { cause });
  }
  return { ...pair, minVersion: "TLSv1.3" as const };
}

function readPem(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error(`${variable}: ${file} cannot be read; name a PEM file that the user of svc may read.`, { cause });
  }
}

function listenerOf({ direct, pages, clientAddress }: ServerParts, log: ServerOptions["log"]): RequestListener {
  const exact = new Map(direct.filter(({ path }) => !path.endsWith("/")).map(({ path, answer }) => [path, answer]));
  const below = direct.filter(({ path }) => path.endsWith("/"));
  const find = (path: string) => exact.get(path) ?? below.find((candidate) => path.startsWith(candidate.path))?.answer;
  const answerDirect = directListener(async (request, incoming) => {
    const answer = find(pathOf(incoming)) ?? notFound;
    return answer(request, { address: clientAddress(incoming) });
  }, log);
  return (incoming, outgoing) => {
    const isDirect = find(pathOf(incoming)) !== undefined;
    boundBody(incoming, outgoing, { mayBeLong: isDirect });
    // Without Host there is no URL: who answers directly refuses that properly.
    if (isDirect || incoming.headers.host === undefined) return answerDirect(incoming, outgoing);
    incoming.headers[PEER_ADDRESS_HEADER] = clientAddress(incoming);
    const requestId = idOf(incoming);
    // Whatever answers behind Next reads the id that the response names.
    incoming.headers["x-request-id"] = requestId;
    outgoing.setHeader("X-Request-ID", requestId);
    return pages(incoming, outgoing);
  };
}

/** Turns Node's requests into Requests; whatever fails on the way is answered here, under one request id. */
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
    // Only what cannot become a Request comes here, and that shows before the call below returns.
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
  return named(errorResponse(new ServiceError("not_found", "There is nothing here."), requestId), requestId);
}

function pathOf(incoming: IncomingMessage): string {
  const url = incoming.url ?? "/";
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** No Host header, an impossible URL, or a failure that no surface caught: that one is logged with its cause. */
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

const answerStarting: RequestListener = (incoming, outgoing) => {
  const requestId = idOf(incoming);
  const error = new ServiceError("unavailable", "svc is starting.", {
    retryAfterSeconds: 1,
    details: { reason: "starting" },
  });
  const response = named(errorResponse(error, requestId), requestId);
  outgoing.writeHead(503, Object.fromEntries(response.headers));
  void response.text().then((text) => outgoing.end(text));
};
