import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import type { Network } from "../../server/engines/guarded-fetch";

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

/** What a shop's host names resolve to; every other name has a public address. */
const ADDRESSES: Readonly<Record<string, string[]>> = {
  "internal.example": ["10.0.0.1"],
  "half-internal.example": ["93.184.215.14", "127.0.0.1"],
  "nowhere.example": [],
};

/** A real HTTP server that every public host name leads to. */
export async function feedShop() {
  let handler: Handler = (response) => void response.writeHead(404).end();
  const asked: { host: string | undefined; url: string | undefined; headers: IncomingMessage["headers"] }[] = [];
  const server = http.createServer((request, response) => {
    const { headers, url } = request;
    asked.push({ host: headers.host, url, headers });
    handler(response, request);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    port,
    network: networkTo(port),
    /** What the shop responds to every request from now on. */
    respond(next: Handler) {
      asked.length = 0;
      handler = next;
    },
    /** A feed that never changes, with an ETag. */
    respondWith(body: string | Buffer, headers: http.OutgoingHttpHeaders = {}) {
      this.respond((response) => void response.writeHead(200, { "content-type": "text/csv", ...headers }).end(body));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The network of a process whose shop listens on a port of this machine, without TLS. */
export const networkTo = (port: number): Network => ({
  resolve: async (hostname) => ADDRESSES[hostname] ?? ["93.184.215.14"],
  connect: () => net.connect(port, "127.0.0.1"),
});

/** A CSV feed of products with these ids. */
export const csvOf = (...ids: string[]): string =>
  ["id,title,link,price", ...ids.map((id) => `${id},Lantern ${id},https://shop.example/${id},9.90 USD`), ""].join("\n");
