import { once } from "node:events";
import { chmod } from "node:fs/promises";
import http from "node:http";

/** The mode of the folder keeps out everyone but svc and the process that connects. */
const CONNECTABLE = 0o666;

export interface SocketServer {
  /** Ends its connections. */
  close(): Promise<void>;
}

/** An HTTP server on a Unix socket, whose path has at most 107 bytes. */
export async function listenOnSocket(socket: string, respond: http.RequestListener): Promise<SocketServer> {
  // workerd sends no Host header to a proxy.
  const server = http.createServer({ requireHostHeader: false }, respond);
  server.listen(socket);
  await once(server, "listening");
  await chmod(socket, CONNECTABLE);
  return {
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
