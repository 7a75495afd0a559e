import type { IncomingMessage } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { type PortExchange, requestOn, responseTo, sendResponse } from "./pass-request";

export interface Upgrade extends PortExchange {
  /** What the client has sent after the request. */
  head: Buffer;
  stopping: AbortSignal;
}

/** What the pod switched to. */
interface Switched {
  response: IncomingMessage;
  upstream: Duplex;
  head: Buffer;
}

/**
 * Passes a request for an upgrade to a port. If the pod agrees, bytes are passed in both directions until one side ends;
 * otherwise its response is passed. Resolves when one of them begins, and throws as `passRequest` does.
 */
export async function passUpgrade(upgrade: Upgrade): Promise<void> {
  const { incoming, outgoing, connection, headers } = upgrade;
  outgoing.once("close", () => connection.destroy());
  if (outgoing.destroyed) return void connection.destroy();
  const asked = ["Connection", "Upgrade", "Upgrade", incoming.headers.upgrade ?? ""];
  const request = requestOn(upgrade, [...headers.forServer(incoming), ...asked]);
  const switched = new Promise<Switched>((resolve) => {
    request.once("upgrade", (response, upstream, head) => resolve({ response, upstream, head }));
  });
  request.end();
  const result = await Promise.race([switched, responseTo(request, upgrade)]);
  if (result && "upstream" in result) tunnel(upgrade, result);
  else if (result) sendResponse(upgrade, result);
}

function tunnel({ incoming, outgoing, head, headers, idleMs, stopping }: Upgrade, switched: Switched): void {
  const { response, upstream } = switched;
  const { socket } = incoming;
  outgoing.statusCode = response.statusCode ?? 101;
  outgoing.detachSocket(socket);
  const lines = [
    ["Connection", "Upgrade"],
    ["Upgrade", response.headers.upgrade ?? ""],
    ...headers.fromServer(response),
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`, "latin1");
  if (switched.head.length > 0) upstream.unshift(switched.head);
  if (head.length > 0) socket.unshift(head);
  const end = () => void socket.destroy();
  socket.setTimeout(idleMs, end);
  stopping.addEventListener("abort", end, { once: true });
  pipeline(socket, upstream, socket, () => {
    stopping.removeEventListener("abort", end);
    upstream.destroy();
    socket.destroy();
  });
  if (stopping.aborted) end();
}
