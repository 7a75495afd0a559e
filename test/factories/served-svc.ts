import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { pino } from "pino";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { testApp } from "./app";
import { freePort } from "./free-port";

/** The platform API, its terminals, the editors of workspaces and the S3 endpoint of svc on a port, on real engines. */
export async function servedSvc(env: Record<string, string> = {}) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const test = await testApp({ env: { ...env, PUBLIC_URL: url } });
  const log = pino({ level: "silent" });
  const { server, serve } = createHttpServer({
    tls: undefined,
    publicUrl: url,
    allowedHosts: [],
    log,
    workspacesDomain: test.config.workspacesDomain,
  });
  const state = {
    /** Requests to the S3 endpoint, without their credentials. */
    requests: [] as string[],
    /** Requests that get no response. */
    holds: (_incoming: IncomingMessage): boolean => false,
  };
  const s3 = {
    takes: (incoming: IncomingMessage) => test.app.s3.takes(incoming),
    serve: (...[incoming, outgoing, peer]: Parameters<typeof test.app.s3.serve>) => {
      state.requests.push(`${incoming.method} ${incoming.url}`);
      if (!state.holds(incoming)) void test.app.s3.serve(incoming, outgoing, peer);
    },
  };
  const terminals = {
    takes: (incoming: IncomingMessage) => test.app.terminals.takes(incoming),
    serve: (...request: Parameters<typeof test.app.terminals.serve>) => void test.app.terminals.serve(...request),
    upgrades: true,
  } as const;
  const editors = {
    takes: (incoming: IncomingMessage) => test.app.editors.takes(incoming),
    serve: (...request: Parameters<typeof test.app.editors.serve>) => void test.app.editors.serve(...request),
    upgrades: true,
  } as const;
  serve({
    streams: [editors, s3, terminals],
    clientAddress: () => "127.0.0.1",
    direct: [{ path: "/v1/", answer: (request, peer) => test.app.platform.fetch(request, peer) }],
    pages: (_, outgoing) => void outgoing.writeHead(404).end(),
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async (): Promise<void> => {
    server.close().closeAllConnections();
    await test.stop();
  };
  return { test, url, state, stop };
}
