import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Config } from "./config";
import { errorResponse } from "./http/error-response";
import { requestIdOf } from "./http/request-facts";
import { ServiceError } from "./kernel/errors";

/** Whatever answers outside the direct paths. */
export interface Pages {
  listener: RequestListener;
  close: () => Promise<void>;
}

export type OpenPages = (config: Config, server: Server, log: Logger) => Promise<Pages>;

/** Next, inside this process; it reads the built pages, or compiles them as they are asked for while developing. */
export async function startNext(config: Config, server: Server, log: Logger): Promise<Pages> {
  const { default: next } = await import("next");
  const pages = next({ dev: config.dev, dir: config.rootDir, port: config.port, httpServer: server });
  await pages.prepare();
  return { listener: listenerOf(pages.getRequestHandler(), log), close: () => pages.close() };
}

/** What a process without the role `web` has instead. */
export const noPages: OpenPages = async () => ({
  listener: (_incoming, outgoing) =>
    void send(outgoing, new ServiceError("not_found", "This process serves no pages and no API: its ROLE is worker.")),
  close: async () => undefined,
});

/** Answers with `handle`; what it rejects with is logged and becomes an `internal` error, or the end of the connection. */
export function listenerOf(
  handle: (...args: Parameters<RequestListener>) => Promise<void>,
  log: Logger,
): RequestListener {
  return (incoming, outgoing) => {
    handle(incoming, outgoing).catch((failure: unknown) => {
      log.error({ err: failure, request_id: outgoing.getHeader("x-request-id") }, "a page failed");
      if (outgoing.headersSent) outgoing.destroy();
      else void send(outgoing, failure);
    });
  };
}

async function send(outgoing: ServerResponse, failure: unknown): Promise<void> {
  const requestId = requestIdOf(outgoing.getHeader("x-request-id")?.toString());
  const response = errorResponse(failure, requestId);
  const headers = { ...Object.fromEntries(response.headers), "x-request-id": requestId, "cache-control": "no-store" };
  outgoing.writeHead(response.status, headers).end(await response.text());
}
