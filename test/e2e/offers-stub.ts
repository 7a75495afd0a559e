import http from "node:http";
import type { AddressInfo } from "node:net";
import { widgetVersion } from "../../widget/widget-version.mjs";

export interface Recorded {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Answer {
  status?: number;
  body: unknown;
  /** Resolves when the answer may leave. */
  after?: Promise<void>;
}

/** The widget, newest and by version, and the two endpoints that it calls, on an origin of their own; every POST is recorded. */
export interface OffersStub {
  origin: string;
  offersRequests: Recorded[];
  impressionBatches: Recorded[];
  /** Replaces what `POST /api/v1/offers` answers. */
  answer: (request: Record<string, unknown>) => Answer;
  /** What `POST /api/v1/impressions/batch` answers. */
  impressionStatus: number;
  close(): Promise<void>;
}

/** A publisher's site on another origin: pages by path. */
export interface Site {
  origin: string;
  pages: Map<string, { html: string; headers?: Record<string, string> }>;
  close(): Promise<void>;
}

export async function startOffersStub(widget: Buffer): Promise<OffersStub> {
  const stub: Omit<OffersStub, "origin" | "close"> = {
    offersRequests: [],
    impressionBatches: [],
    answer: () => ({ body: { offers: [] } }),
    impressionStatus: 204,
  };
  const version = widgetVersion(widget).path;
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? "/";
    if (path === version) response.setHeader("Access-Control-Allow-Origin", "*");
    const recorded = { path, headers: request.headers, body: await read(request) };
    if (path === "/widget.js" || path === version) return send(response, { type: "text/javascript", body: widget });
    response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "null");
    if (path === "/api/v1/impressions/batch") {
      stub.impressionBatches.push(recorded);
      return response.writeHead(stub.impressionStatus).end();
    }
    response.setHeader("Access-Control-Allow-Headers", "content-type,x-svc-api-key");
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    // A click; what it leads to is another page's affair.
    if (request.method === "GET") return send(response, { type: "text/html", body: "<title>landing</title>" });
    stub.offersRequests.push(recorded);
    const { status = 200, body, after } = stub.answer(JSON.parse(recorded.body));
    await after;
    return send(response, { status, type: "application/json", body: JSON.stringify(body) });
  });
  return Object.assign(stub, await listen(server));
}

export async function startSite(): Promise<Site> {
  const pages: Site["pages"] = new Map();
  const server = http.createServer((request, response) => {
    const page = pages.get((request.url ?? "/").replace(/\?.*/, ""));
    if (!page) return response.writeHead(404).end();
    for (const [name, value] of Object.entries(page.headers ?? {})) response.setHeader(name, value);
    return send(response, { type: "text/html; charset=utf-8", body: page.html });
  });
  return { pages, ...(await listen(server)) };
}

async function listen(server: http.Server): Promise<{ origin: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

function send(
  response: http.ServerResponse,
  { status = 200, type, body }: { status?: number; type: string; body: string | Buffer },
): void {
  response.writeHead(status, { "Content-Type": type }).end(body);
}

async function read(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
