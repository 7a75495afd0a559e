import http, { type IncomingHttpHeaders, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import type { Network } from "../../server/engines/guarded-fetch";

export interface ReceivedRequest {
  host: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: string;
  atMs: number;
}

type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** A status, or a function that responds. */
export type Behaviour = number | Respond;

/**
 * Endpoints on one HTTP server, told apart by their host names; each responds 200 until it is given another behaviour.
 * `network` leads every public address to them.
 */
export async function webhookReceiver() {
  const behaviours = new Map<string, Behaviour>();
  const requests: ReceivedRequest[] = [];
  const connected: { hostname: string; address: string }[] = [];
  const addresses = new Map<string, (call: number) => string[]>();
  const lookups = new Map<string, number>();
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { headers, url = "" } = incoming;
      const request = {
        headers,
        url,
        host: headers.host ?? "",
        body: Buffer.concat(chunks).toString("utf8"),
        atMs: performance.now(),
      };
      requests.push(request);
      const behaviour = behaviours.get(request.host) ?? 200;
      if (typeof behaviour === "number") response.writeHead(behaviour).end("ok");
      else behaviour(response, request);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const network: Network = {
    resolve: async (hostname) => {
      const call = lookups.get(hostname) ?? 0;
      lookups.set(hostname, call + 1);
      return addresses.get(hostname)?.(call) ?? ["8.8.8.8"];
    },
    connect: ({ hostname, address }) => {
      connected.push({ hostname, address });
      return net.connect(port, "127.0.0.1");
    },
  };
  return {
    port,
    network,
    requests,
    connected,
    /** How an endpoint responds from now on. */
    respond: (host: string, behaviour: Behaviour) => void behaviours.set(host, behaviour),
    /** The addresses of a host; `call` counts the lookups from 0. */
    resolveTo: (host: string, of: (call: number) => string[]) => void addresses.set(host, of),
    requestsTo: (host: string) => requests.filter((request) => request.host === host),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
