import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { ServiceError } from "../../kernel/errors";
import type { PassedHeaders } from "./passed-headers";

export interface PortExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** To the port; it ends with the exchange. */
  connection: Duplex;
  /** Path and query, as the pod receives them. */
  path: string;
  headers: PassedHeaders;
  idleMs: number;
}

/**
 * Passes a request to a port and the response back, both as they arrive. Resolves when the response begins or the client
 * has gone. Throws `unavailable` (reasons `port_failed`, `port_timeout`) if there is none.
 */
export async function passRequest(exchange: PortExchange): Promise<void> {
  const { incoming, outgoing, connection } = exchange;
  outgoing.once("close", () => connection.destroy());
  if (outgoing.destroyed) return void connection.destroy();
  const request = requestOn(exchange, exchange.headers.forServer(incoming));
  if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  sendBody(incoming, request);
  const response = await responseTo(request, exchange);
  if (response) sendResponse(exchange, response);
}

export const requestOn = ({ incoming, connection, path }: PortExchange, headers: string[]): ClientRequest => {
  const { method = "GET" } = incoming;
  if (connection.destroyed) throw failed("port_failed", "The pod closed the connection.");
  try {
    const request = http.request({ createConnection: () => connection, method, path, headers });
    // A connection of a runtime is paused until it is used.
    return request.once("socket", () => connection.resume());
  } catch (cause) {
    connection.destroy();
    throw new ServiceError("invalid_request", "The request cannot be passed on: its path or a header is malformed.", {
      cause,
    });
  }
};

/** Resolves with undefined if the client has gone. */
export function responseTo(
  request: ClientRequest,
  { outgoing, connection, idleMs }: PortExchange,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    outgoing.setTimeout(idleMs, () => {
      reject(failed("port_timeout", "The pod did not respond in time."));
      connection.destroy();
      if (outgoing.headersSent) outgoing.destroy();
    });
    outgoing.once("close", () => resolve(undefined));
    request.once("response", resolve);
    request.on("error", (cause) =>
      reject(failed("port_failed", "What listens on the port did not send a complete HTTP response.", cause)),
    );
  });
}

/** Ends a response of the pod that breaks off by breaking off the response to the client. */
export function sendResponse({ outgoing, headers: passed }: PortExchange, response: IncomingMessage): void {
  response.on("error", () => undefined);
  const headers = passed.fromServer(response);
  try {
    for (const [name, value] of headers) outgoing.appendHeader(name, value);
    outgoing.writeHead(response.statusCode ?? 0);
  } catch (cause) {
    response.destroy();
    for (const [name] of headers) outgoing.removeHeader(name);
    throw failed("port_failed", "The pod sent an invalid HTTP response.", cause);
  }
  // The body of a stream of events may take its time.
  outgoing.flushHeaders();
  pipeline(response, outgoing, () => undefined);
}

/** Not a pipeline, which would close the client's connection with that of a pod that responds early. */
function sendBody(incoming: IncomingMessage, request: ClientRequest): void {
  incoming.on("error", () => undefined);
  // What the pod does not read any more is dropped, so that the client can read the response.
  request.once("close", () => incoming.unpipe(request).resume());
  incoming.pipe(request);
}

const failed = (reason: string, message: string, cause?: unknown): ServiceError =>
  new ServiceError("unavailable", message, { cause, details: { reason } });
