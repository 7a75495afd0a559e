import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { type Runtime, RuntimeError } from "../runtime";
import { serverSecurity } from "./link-security";
import { RUNTIME_CALLS, type ServedNode } from "./runtime-calls";
import { EPOCH_HEADER, RUNTIME_ERROR_STATUS, STATUS_OF, type WireError, wireErrorOf } from "./wire";

/** What a caller may do: `use` is observing, reading output and files, and executing programs; `drive` is everything. */
export type LinkAccess = "use" | "drive";

export interface ServeRuntime extends ServedNode {
  /** undefined while this process runs no workloads. */
  runtime(): Runtime | undefined;
  /** The key and the rights of an identity; undefined if it is not accepted. */
  callerOf(identity: string): { key: Buffer; access: LinkAccess } | undefined;
  /** The newest epoch that was accepted before this process. */
  epoch?: number;
  /** Called for each call with the newest epoch of a caller that may drive the node. */
  onDriven?: (epoch: number) => void;
  host: string;
  /** 0: any free one. */
  port: number;
  log: Pick<Logger, "warn">;
}

export interface ServedRuntime {
  port: number;
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 10_000;
const HANDSHAKE_MS = 10_000;
/** What is called without the id of a workload. */
const WHOLES: Readonly<Record<string, string>> = {
  "/runtime": "runtime",
  "/images": "images",
  "/gpus": "gpus",
  "/networks": "networks",
  "/agent": "agent",
  "/restart": "restart",
};
const PATH = /^\/(workload|volume)s(?:\/([^/]+)(?:\/([a-z]+))?)?$/;

/** Serves a runtime to processes on this and other nodes. Rejects if nothing can listen there. */
export async function serveRuntime(options: ServeRuntime): Promise<ServedRuntime> {
  const { callerOf, host, port, log } = options;
  const identities = new WeakMap<object, string>();
  const security = serverSecurity((identity) => callerOf(identity)?.key);
  const pskCallback: typeof security.pskCallback = (socket, identity) => {
    identities.set(socket, identity);
    return security.pskCallback?.(socket, identity) ?? null;
  };
  const epochs = { newest: options.epoch ?? 0 };
  const server = createServer({ ...security, pskCallback, handshakeTimeout: HANDSHAKE_MS }, (request, response) => {
    const caller = callerOf(identities.get(request.socket) ?? "");
    if (!caller) return sendError(response, { reason: "not_allowed", message: "The key is no longer accepted." });
    answer({ ...options, access: caller.access, epochs }, request, response).catch((err: unknown) => {
      log.warn({ err }, "a call to the runtime failed");
      sendError(response, wireErrorOf(err));
    });
  });
  // A start takes as long as its image.
  server.requestTimeout = 0;
  server.on("secureConnection", (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answering extends Pick<ServeRuntime, "runtime" | "gpus" | "agent" | "onDriven"> {
  access: LinkAccess;
  epochs: { newest: number };
}

async function answer(served: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "https://runtime");
  const [path, kind = "", segment = "", action = ""] = PATH.exec(pathname) ?? [];
  const id = decodeURIComponent(segment);
  const noun = WHOLES[pathname] ?? nounOf({ kind, id, action });
  const name = `${request.method} ${noun}`;
  const serve = path === undefined && !WHOLES[pathname] ? undefined : RUNTIME_CALLS[name];
  if (!serve) return sendError(response, { reason: "invalid_request", message: "There is no such call." });
  const refused = refusalOf(served, name, request);
  if (refused) return sendError(response, refused);
  const runtime = served.runtime();
  if (!runtime) throw new Error("This process runs no workloads at present.");
  try {
    const { gpus, agent } = served;
    const json = await serve({ runtime, gpus, agent, request, response, id, query });
    if (!response.headersSent && !response.destroyed) sendJson(response, 200, json ?? {});
  } catch (cause) {
    if (!(cause instanceof RuntimeError)) throw cause;
    sendError(response, wireErrorOf(cause));
  }
}

/** A call of a workload is named by its action alone. */
function nounOf({ kind, id, action }: { kind: string; id: string; action: string }): string {
  if (id === "") return `${kind}s`;
  if (action === "") return kind;
  return kind === "volume" ? `volume ${action}` : action;
}

function refusalOf({ access, epochs, onDriven }: Answering, name: string, request: IncomingMessage) {
  if (access !== "drive" && !USES.has(name))
    return { reason: "not_allowed", message: "This key may not do that." } as const;
  const epoch = Number(request.headers[EPOCH_HEADER] ?? 0);
  if (access !== "drive" || USES.has(name)) return undefined;
  if (epoch < epochs.newest) {
    return { reason: "stale_epoch", message: "Another process of svc has taken over this node." } as const;
  }
  epochs.newest = epoch;
  onDriven?.(epoch);
  return undefined;
}

/** What needs no claim on the node. */
const USES: ReadonlySet<string> = new Set([
  "GET workload",
  "GET logs",
  "GET snapshot",
  "GET volume snapshot",
  "POST exec",
  "POST connect",
]);

function sendJson(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

function sendError(response: ServerResponse, error: WireError): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, STATUS_OF[error.reason] ?? RUNTIME_ERROR_STATUS, error);
}
