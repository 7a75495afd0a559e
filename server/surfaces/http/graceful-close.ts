import type { IncomingMessage, Server, ServerResponse } from "node:http";
import net, { type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

const CHECK_EVERY_MS = 100;
/**
 * The number of checks for which an idle keep-alive connection stays open, so that its next response can announce the
 * close.
 */
const GRACE_CHECKS = 10;
/** The maximum number of turns spent on accepting waiting connections, even under a flood of new ones. */
const ACCEPT_TURNS_MAX = 2000;
/** Requests still running after this time are aborted. */
const DRAIN_MS = 10_000;

/**
 * Returns a function that closes the server without losing requests of keep-alive clients: new connections are
 * rejected, each further response has `Connection: close`, and the server closes a connection only after a second
 * without a request. The promise resolves when the last connection has ended, or after 10 s, when the rest is aborted.
 */
export function gracefulClose(server: Server): () => Promise<void> {
  // By connection, not a set of responses: V8 replaces the table of a set that gains and loses an entry per request, and
  // each dead table keeps the next one and its responses alive until a full garbage collection.
  const latest = new Map<Socket, ServerResponse>();
  let isClosing = false;
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (isClosing) return announceClose(response);
    if (!latest.has(socket)) socket.once("close", () => latest.delete(socket));
    latest.set(socket, response);
  });
  return () =>
    new Promise((resolve) => {
      isClosing = true;
      for (const response of latest.values()) announceClose(response);
      let checks = 0;
      let isClosed = false;
      // In a separate turn: after a stall of the event loop, requests that have arrived are read before the check.
      const checkLater = () => setTimeout(() => setImmediate(check), CHECK_EVERY_MS);
      const check = () => {
        if (isClosed) return;
        if (++checks >= GRACE_CHECKS) server.closeIdleConnections();
        checkLater();
      };
      checkLater();
      const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      void acceptWaiting(server).then(() =>
        // The `close` of http.Server would also close idle connections immediately, although a request may be on its
        // way.
        net.Server.prototype.close.call(server, () => {
          isClosed = true;
          clearTimeout(late);
          resolve();
        }),
      );
    });
}

/**
 * Connections that the kernel has accepted would be reset with the listening socket; Node accepts one of them per turn.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 1;
  const count = () => accepted++;
  server.on("connection", count);
  for (let turns = 0; accepted > 0 && turns < ACCEPT_TURNS_MAX; turns++) {
    accepted = 0;
    await nextTurn();
    await nextTurn();
  }
  server.off("connection", count);
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
