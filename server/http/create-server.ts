import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createSecureContext } from "node:tls";
import { getRequestListener, RequestError } from "@hono/node-server";
import { ServiceError } from "../kernel/errors";
import { PEER_ADDRESS_HEADER } from "../surfaces";
import type { ClientAddress } from "./client-address";
import { errorResponse } from "./error-response";
import { type Peer, requestIdOf } from "./request-facts";

/** A part of the URL space that is answered here, before Next is asked. */
export interface DirectPath {
  /** Exact, or with everything below it when it ends in "/". */
  path: string;
  answer: (request: Request, peer: Peer) => Promise<Response> | Response;
}

export interface ServerParts {
  direct: readonly DirectPath[];
  /** Everything else. */
  pages: RequestListener;
  clientAddress: ClientAddress;
  tls: { certFile: string; keyFile: string } | undefined;
}

const HEADERS_TIMEOUT_MS = 30_000;
/** Node's own answer to a request without Host would carry no request id. */
const OPTIONS = { requireHostHeader: false };

/** The HTTP server before anything is behind it: it takes the port at once and says that svc is starting. */
export function createHttpServer(tls: ServerParts["tls"]): { server: Server; serve: (parts: ServerParts) => void } {
  let listener: RequestListener = answerStarting;
  const onRequest: RequestListener = (incoming, outgoing) => listener(incoming, outgoing);
  const server = tls ? createTlsServer({ ...OPTIONS, ...readPair(tls) }, onRequest) : createServer(OPTIONS, onRequest);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.on("clientError", (_error, socket) => {
    if (!socket.writable) return socket.destroy();
    const failure = new ServiceError("invalid_request", "This is not a well-formed HTTP request.");
    void writeRaw(socket, errorResponse(failure, requestIdOf(null)));
  });
  return {
    server,
    serve: (parts) => {
      listener = listenerOf(parts);
    },
  };
}

function readPair({ certFile, keyFile }: NonNullable<ServerParts["tls"]>) {
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

function listenerOf({ direct, pages, clientAddress }: ServerParts): RequestListener {
  const exact = new Map(direct.filter(({ path }) => !path.endsWith("/")).map(({ path, answer }) => [path, answer]));
  const below = direct.filter(({ path }) => path.endsWith("/"));
  const find = (path: string) => exact.get(path) ?? below.find((candidate) => path.startsWith(candidate.path))?.answer;
  const answerDirect = getRequestListener(
    (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const answer = find(pathOf(incoming)) ?? notFound;
      return answer(request, { address: clientAddress(incoming) });
    },
    { errorHandler: answerBroken },
  );
  return (incoming, outgoing) => {
    // Without Host there is no URL: who answers directly refuses that properly.
    if (find(pathOf(incoming)) || incoming.headers.host === undefined) return void answerDirect(incoming, outgoing);
    incoming.headers[PEER_ADDRESS_HEADER] = clientAddress(incoming);
    const requestId = requestIdOf(incoming.headers["x-request-id"]?.toString());
    // Whatever answers behind Next reads the id that the response names.
    incoming.headers["x-request-id"] = requestId;
    outgoing.setHeader("X-Request-ID", requestId);
    return pages(incoming, outgoing);
  };
}

const notFound = () => errorResponse(new ServiceError("not_found", "There is nothing here."), requestIdOf(null));

function pathOf(incoming: IncomingMessage): string {
  const url = incoming.url ?? "/";
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** What never became a Request: no Host header, an impossible URL. */
function answerBroken(failure: unknown): Response {
  const requestId = requestIdOf(null);
  const known = failure instanceof RequestError;
  const error = known ? new ServiceError("invalid_request", "This is not a well-formed HTTP request.") : failure;
  const response = errorResponse(error, requestId);
  response.headers.set("x-request-id", requestId);
  return response;
}

const answerStarting: RequestListener = (_incoming, outgoing) => {
  const requestId = requestIdOf(null);
  const error = new ServiceError("unavailable", "svc is starting.", {
    retryAfterSeconds: 1,
    details: { reason: "starting" },
  });
  const response = errorResponse(error, requestId);
  outgoing.writeHead(503, {
    ...Object.fromEntries(response.headers),
    "x-request-id": requestId,
    "cache-control": "no-store",
  });
  void response.text().then((text) => outgoing.end(text));
};

async function writeRaw(socket: NodeJS.WritableStream, response: Response): Promise<void> {
  const body = await response.text();
  socket.end(
    `HTTP/1.1 ${response.status} Bad Request\r\nContent-Type: application/json\r\nX-Request-ID: ${requestIdOf(null)}\r\n` +
      `Cache-Control: no-store\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
