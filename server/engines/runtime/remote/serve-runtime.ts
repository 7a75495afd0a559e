import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { PassThrough, pipeline, type Readable } from "node:stream";
import type { Logger } from "pino";
import type { DetectedGpu } from "../nvidia/read-gpus";
import { type Runtime, RuntimeError } from "../runtime";
import type { NetworkState } from "../runtime-networks";
import type { RuntimeVolumes } from "../runtime-volumes";
import { serverSecurity } from "./link-security";
import { serveConnection } from "./serve-connection";
import { serveExecution } from "./serve-execution";
import {
  type AgentProcess,
  EPOCH_HEADER,
  type RemoteCapabilities,
  RUNTIME_ERROR_STATUS,
  readHead,
  readJson,
  STATUS_OF,
  type WireError,
  wireErrorOf,
} from "./wire";
import { allocationOf, type WireAllocation } from "./wire-allocation";

/** What a caller may do: `use` is observing, reading output and files, and executing programs; `drive` is everything. */
export type LinkAccess = "use" | "drive";

/** The process that serves a runtime on a machine that was joined. */
export interface ServedAgent extends AgentProcess {
  /** Ends it; another one is then started. */
  restart(): void;
}

export interface ServeRuntime {
  /** undefined while this process runs no workloads. */
  runtime(): Runtime | undefined;
  /** The GPUs of this machine; absent: it has none. */
  gpus?: (() => Promise<DetectedGpu[]>) | undefined;
  /** Absent: it is a process of svc, which cannot be restarted from here. */
  agent?: ServedAgent | undefined;
  /** The key and the rights of an identity; undefined if it is not accepted. */
  callerOf(identity: string): { key: Buffer; access: LinkAccess } | undefined;
  /** The newest epoch that was accepted before this process. */
  epoch?: number;
  /** Called for each call with the newest epoch of a caller that may drive the machine. */
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

interface Call extends Pick<ServeRuntime, "gpus" | "agent"> {
  runtime: Runtime;
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  query: URLSearchParams;
}

type Serve = (call: Call) => Promise<object | undefined>;

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

/** Serves a runtime to processes on this and other machines. Rejects if nothing can listen there. */
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
  const serve = path === undefined && !WHOLES[pathname] ? undefined : ROUTES[name];
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
    return { reason: "stale_epoch", message: "Another process of svc has taken over this machine." } as const;
  }
  epochs.newest = epoch;
  onDriven?.(epoch);
  return undefined;
}

/** What needs no claim on the machine. */
const USES: ReadonlySet<string> = new Set([
  "GET workload",
  "GET logs",
  "GET snapshot",
  "GET volume snapshot",
  "POST exec",
  "POST connect",
]);

const ROUTES: Readonly<Record<string, Serve>> = {
  "GET runtime": async ({ runtime }) => {
    const { kind, isolation, limitsEnforced, gpu, snapshots, ports, imageCacheBytes, volumes, networks } = runtime;
    const capabilities: RemoteCapabilities = { kind, isolation, limitsEnforced, gpu };
    const missing = { ...(snapshots === false && { snapshots }), ...(ports === false && { ports }) };
    const more = {
      ...(imageCacheBytes && { imageCacheBytes }),
      ...(volumes && { volumesEnforced: volumes.isEnforced, mountsVolumes: true as const }),
      ...(networks && { privateNetworks: true as const, listsNetworks: true as const }),
    };
    return { ...capabilities, ...missing, ...more };
  },
  "GET gpus": async ({ gpus }) => ({ gpus: (await gpus?.()) ?? [] }),
  "GET agent": async ({ agent }) => (agent ? { version: agent.version, bootId: agent.bootId } : {}),
  "POST restart": async ({ agent, request, response }) => {
    const { bootId } = (await readJson(request)) as { bootId: string };
    // A call that was repeated must not end the process that came after.
    if (agent?.bootId !== bootId) return { restarting: false };
    response.once("finish", () => agent.restart());
    return { restarting: true };
  },
  "GET workloads": async ({ runtime }) => ({ ids: await runtime.list() }),
  "GET workload": ({ runtime, id }) => runtime.observe(id),
  "PUT workload": async ({ runtime, request, id, query }) => {
    const allocation = allocationOf((await readHead(request)) as WireAllocation);
    const restore = query.has("restore") ? detached(request) : undefined;
    return runtime.ensure({ ...allocation, id }, { restore });
  },
  "POST images": async ({ runtime, request, response }) => {
    const { reference, bytesMax } = (await readJson(request)) as { reference: string; bytesMax: number };
    const interruption = new AbortController();
    response.once("close", () => interruption.abort(CALLER_GONE()));
    return runtime.prefetch(reference, { bytesMax, signal: interruption.signal });
  },
  "PUT networks": async ({ runtime, request }) => {
    const { networks } = (await readJson(request)) as { networks: NetworkState[] };
    await runtime.networks?.apply(networks);
    return {};
  },
  "GET networks": async ({ runtime }) => ({ ids: (await runtime.networks?.unused()) ?? [] }),
  "DELETE networks": async ({ runtime, query }) => void (await runtime.networks?.remove(query.get("id") ?? "")),
  "DELETE workload": async ({ runtime, id }) => void (await runtime.remove(id)),
  "GET volumes": ({ runtime }) => volumesOf(runtime).list(),
  "PUT volume": async ({ runtime, request, id, query }) => {
    const { bytes } = (await readHead(request)) as { bytes: number };
    const restore = query.has("restore") ? detached(request) : undefined;
    await volumesOf(runtime).make(id, { bytes, restore });
    return undefined;
  },
  "POST volume grow": async ({ runtime, request, id }) => {
    const { bytes } = (await readJson(request)) as { bytes: number };
    await volumesOf(runtime).grow(id, bytes);
    return {};
  },
  "POST volume limit": async ({ runtime, request, id }) => {
    const { bytesPerSecond } = (await readJson(request)) as { bytesPerSecond: number };
    return { isEnforced: await volumesOf(runtime).limit(id, bytesPerSecond) };
  },
  "DELETE volume": async ({ runtime, id }) => void (await volumesOf(runtime).remove(id)),
  "GET volume snapshot": async ({ runtime, response, id }) => {
    const files = volumesOf(runtime).snapshot(id);
    await untilReadable(files);
    sendStream(response, files);
    return undefined;
  },
  "POST signal": async ({ runtime, request, id }) => {
    const { signal } = (await readJson(request)) as { signal: NodeJS.Signals };
    await runtime.signal(id, signal);
    return {};
  },
  "POST notify": async ({ runtime, request, id }) => {
    const { name, contents } = (await readJson(request)) as { name: string; contents: string };
    await runtime.notify(id, name, contents);
    return {};
  },
  "POST terminate": async ({ runtime, request, id }) => {
    const { graceSeconds } = (await readJson(request)) as { graceSeconds: number };
    return runtime.terminate(id, graceSeconds);
  },
  "GET logs": async ({ runtime, response, id, query }) => {
    const tailBytes = query.get("tail_bytes");
    const options = { follow: query.has("follow"), ...(tailBytes !== null && { tailBytes: Number(tailBytes) }) };
    sendStream(response, runtime.logs(id, options));
    return undefined;
  },
  "GET snapshot": async ({ runtime, response, id }) => {
    const files = runtime.snapshot(id);
    await untilReadable(files);
    sendStream(response, files);
    return undefined;
  },
  "POST exec": async ({ runtime, request, response, id }) => {
    await serveExecution(runtime, { id, request, response });
    return undefined;
  },
  "POST connect": async ({ runtime, request, response, id }) => {
    await serveConnection(runtime, { id, request, response });
    return undefined;
  },
};

function volumesOf({ volumes }: Runtime): RuntimeVolumes {
  if (volumes) return volumes;
  throw new RuntimeError("not_supported", "The runtime of this machine keeps no volumes.");
}

const CALLER_GONE = () => new RuntimeError("terminated", "The caller disconnected.");

/** The rest of a request as a stream of its own: to destroy it leaves the connection open for the response. */
function detached(request: IncomingMessage): Readable {
  const rest = new PassThrough();
  request.pipe(rest);
  request.once("close", () => {
    if (!request.complete) rest.destroy(new Error("The caller disconnected."));
  });
  rest.once("close", () => request.unpipe(rest).resume());
  return rest;
}

/** Destroys the response if the source fails, which the caller notices, and the source if the caller has gone. */
function sendStream(response: ServerResponse, source: Readable): void {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  response.flushHeaders();
  pipeline(source, response, () => undefined);
}

/** Rejects if the stream fails before its first byte, so that the failure can be sent instead. */
function untilReadable(source: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    source.once("readable", resolve).once("end", resolve).once("error", reject);
  });
}

function sendJson(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

function sendError(response: ServerResponse, error: WireError): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, STATUS_OF[error.reason] ?? RUNTIME_ERROR_STATUS, error);
}
