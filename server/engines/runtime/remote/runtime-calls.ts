import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, pipeline, type Readable } from "node:stream";
import type { DetectedGpu } from "../nvidia/read-gpus";
import { type Runtime, RuntimeError } from "../runtime";
import type { NetworkState } from "../runtime-networks";
import type { RuntimeVolumes } from "../runtime-volumes";
import { serveConnection } from "./serve-connection";
import { serveExecution } from "./serve-execution";
import { type AgentProcess, type RemoteCapabilities, readHead, readJson } from "./wire";
import { allocationOf, type WireAllocation } from "./wire-allocation";

/** The process that serves a runtime on a node that was joined. */
interface ServedAgent extends AgentProcess {
  /** Ends it; another one is then started. */
  restart(): void;
}

export interface ServedNode {
  /** The GPUs of this node; absent: it has none. */
  gpus?: (() => Promise<DetectedGpu[]>) | undefined;
  /** Absent: it is a process of svc, which cannot be restarted from here. */
  agent?: ServedAgent | undefined;
}

interface Call extends ServedNode {
  runtime: Runtime;
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  query: URLSearchParams;
}

type Serve = (call: Call) => Promise<object | undefined>;

/** What each call does, by its method and noun. */
export const RUNTIME_CALLS: Readonly<Record<string, Serve>> = {
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
  throw new RuntimeError("not_supported", "The runtime of this node keeps no volumes.");
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
