import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { createClientAddress } from "../../server/surfaces/http/client-address";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import type { TestApp } from "./app";
import { hostClient } from "./host-client";

/** The hosts of edge functions over HTTP, and a client of them. */
export async function serveEdge(test: TestApp) {
  const { publicUrl, edgeDomain } = test.config;
  const log = pino({ level: "silent" });
  const { server, serve } = createHttpServer({ tls: undefined, publicUrl, allowedHosts: [], edgeDomain, log });
  const { edge, s3 } = test.app;
  serve({
    direct: [],
    streams: [edge, s3].map((surface) => ({
      takes: surface.takes,
      upgrades: true,
      serve: (...call: Parameters<typeof surface.serve>) => void surface.serve(...call),
    })),
    clientAddress: createClientAddress([]),
    pages: (_, outgoing) => void outgoing.writeHead(404).end("no page"),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { open, ask, close } = hostClient((server.address() as AddressInfo).port);
  const stop = () => {
    close();
    server.close().closeAllConnections();
  };
  return { open, ask, stop };
}
