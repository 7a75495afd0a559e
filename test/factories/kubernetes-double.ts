import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";
import { acceptChannels, type ChannelSocket } from "./channel-socket";
import { KubernetesNamespaces, type NamespacesCall } from "./kubernetes-namespaces";
import { CERT, KEY } from "./tls-files";

export interface StoredObject {
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    ownerReferences?: { uid: string }[];
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
  };
  spec?: unknown;
  data?: Record<string, string>;
  status?: { phase?: string } & Record<string, unknown>;
}

interface Execution {
  pod: string;
  container: string;
  command: string[];
  socket: ChannelSocket;
}

/** One failure of the next request with this method, before (`lost`: after) it is carried out. */
interface Failure {
  method: string;
  kind: "500" | "cut" | "lost";
}

const NAMESPACE = "/api/v1/namespaces/svc/";

/**
 * A double of the API server of Kubernetes, in memory, with the parts that svc calls, and of a kubelet that does what the
 * test says. It is not Kubernetes: it knows neither schemas nor permissions. `tls`: with the certificate of `CERT`.
 */
export async function startKubernetesDouble({ tls = false } = {}) {
  const objects = new Map<string, StoredObject>();
  const namespaces = new KubernetesNamespaces();
  const logs = new Map<string, { text: string; followers: Set<ServerResponse> }>();
  const watches = new Set<{ response: ServerResponse; selector: string }>();
  const requests: string[] = [];
  const failures: Failure[] = [];
  const executions: Execution[] = [];
  const sockets = new Set<Socket>();
  const denied = new Set<string>();
  const state = {
    version: 100,
    oldest: 0,
    minor: "34",
    onExec: (_execution: Execution): void => {},
    held: Promise.resolve(),
  };
  const events: { version: number; type: string; object: StoredObject }[] = [];

  const publish = (type: string, object: StoredObject): void => {
    const version = ++state.version;
    object.metadata.resourceVersion = String(version);
    const event = { version, type, object: structuredClone(object) };
    events.push(event);
    for (const { response, selector } of watches) if (matches(object, selector)) send(response, event);
  };
  const isPod = (path: string) => path.startsWith("pods/");
  const advance = (path: string, object: StoredObject): void => {
    const { metadata, status } = object;
    const mayGo = !metadata.finalizers?.length && metadata.deletionTimestamp !== undefined;
    const hasEnded = metadata.deletionGracePeriodSeconds === 0 || /Succeeded|Failed/.test(status?.phase ?? "");
    if (!mayGo || !(hasEnded || !isPod(path))) {
      if (isPod(path)) publish("MODIFIED", object);
      return;
    }
    objects.delete(path);
    if (!isPod(path)) return;
    publish("DELETED", object);
    for (const [key, one] of objects)
      if (one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid)) objects.delete(key);
  };

  const serve = (request: IncomingMessage, response: ServerResponse): void =>
    void receive(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer({ cert: CERT, key: KEY }, serve) : createServer(serve);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const {
      method = "GET",
      headers: { authorization },
    } = request;
    const url = new URL(request.url ?? "", "http://double");
    requests.push(`${method} ${url.pathname}`);
    await state.held;
    const body = await bodyOf(request);
    const at = failures.findIndex((failure) => failure.method === method);
    const failure = at < 0 ? undefined : failures.splice(at, 1)[0];
    if (failure?.kind === "500") return reply(response, 500, { message: "etcd is slow" });
    if (failure?.kind === "cut") return void request.socket.destroy();
    if (failure?.kind === "lost") {
      route(method, url, { body, response: undefined });
      return void request.socket.destroy();
    }
    const other = namespaces.reply({ method, url, body: body as NamespacesCall["body"], authorization });
    if (other) return reply(response, other.status, other.object);
    route(method, url, { body, response });
  }

  function route(method: string, url: URL, { body, response }: { body: Body; response: ServerResponse | undefined }) {
    const done = (status: number, object: unknown): void => reply(response, status, object);
    if (url.pathname === "/version") return done(200, { major: "1", minor: state.minor });
    if (url.pathname.endsWith("selfsubjectaccessreviews")) {
      const { verb, resource } = body.spec?.resourceAttributes ?? {};
      return done(201, { status: { allowed: !denied.has(`${verb} ${resource}`) } });
    }
    if (url.pathname.includes("/networkpolicies/")) return done(200, body);
    const path = url.pathname.replace(NAMESPACE, "");
    const [kind = "", name, part] = path.split("/");
    if (part === "log") return replyLog(`${kind}/${name}`, url, response);
    if (name === undefined && method === "GET" && url.searchParams.get("watch")) return watch(url, response);
    if (name === undefined && method === "GET") return done(200, list(kind, url));
    if (name === undefined) return create(kind, body, done);
    change(method, path, { body, done });
  }

  function create(kind: string, body: Body, done: Done) {
    const path = `${kind}/${body.metadata?.name}`;
    if (objects.has(path)) return done(409, { message: "already exists" });
    const object = {
      ...body,
      metadata: { ...body.metadata, uid: randomUUID(), resourceVersion: "" },
      ...(kind === "pods" && { status: { phase: "Pending" } }),
    } as StoredObject;
    objects.set(path, object);
    if (isPod(path)) publish("ADDED", object);
    done(201, object);
  }

  function change(method: string, path: string, { body, done }: { body: Body; done: Done }) {
    const object = objects.get(path);
    if (method === "PATCH" && !isPod(path)) {
      objects.set(path, {
        ...body,
        metadata: { uid: randomUUID(), ...object?.metadata, ...body.metadata },
      } as StoredObject);
      return done(200, objects.get(path));
    }
    if (!object) return done(404, { message: "not found" });
    if (method === "PATCH") {
      if (body.metadata?.resourceVersion !== object.metadata.resourceVersion) return done(409, { message: "conflict" });
      object.metadata.finalizers = body.metadata?.finalizers ?? [];
      advance(path, object);
    }
    if (method === "DELETE") {
      const grace = Math.min(body.gracePeriodSeconds ?? 30, object.metadata.deletionGracePeriodSeconds ?? 30);
      object.metadata.deletionTimestamp = new Date(Date.now() + grace * 1000).toISOString();
      // A pod that no kubelet has started is not waited for.
      object.metadata.deletionGracePeriodSeconds = object.status?.phase === "Running" ? grace : 0;
      advance(path, object);
    }
    done(200, object);
  }

  function list(kind: string, url: URL) {
    const selector = url.searchParams.get("labelSelector") ?? "";
    const items = [...objects].filter(([path, one]) => path.startsWith(`${kind}/`) && matches(one, selector));
    return { metadata: { resourceVersion: String(state.version) }, items: items.map(([, object]) => object) };
  }

  function watch(url: URL, response: ServerResponse | undefined) {
    if (!response) return;
    const from = Number(url.searchParams.get("resourceVersion"));
    const selector = url.searchParams.get("labelSelector") ?? "";
    response.writeHead(200, { "Content-Type": "application/json" });
    response.flushHeaders();
    if (from < state.oldest) {
      response.end(`${JSON.stringify({ type: "ERROR", object: { code: 410, message: "too old" } })}\n`);
      return;
    }
    for (const event of events) if (event.version > from && matches(event.object, selector)) send(response, event);
    const one = { response, selector };
    watches.add(one);
    response.once("close", () => watches.delete(one));
  }

  function replyLog(pod: string, url: URL, response: ServerResponse | undefined) {
    const log = logs.get(pod);
    if (!log) return reply(response, objects.has(pod) ? 400 : 404, { message: "the container is waiting to start" });
    response?.writeHead(200);
    response?.write(log.text);
    const hasEnded = /Succeeded|Failed/.test(objects.get(pod)?.status?.phase ?? "");
    if (url.searchParams.get("follow") === "true" && !hasEnded && response) log.followers.add(response);
    else response?.end();
  }

  server.on("upgrade", (request, socket) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://double");
    const execution = {
      pod: pathname.split("/")[6] ?? "",
      container: searchParams.get("container") ?? "",
      command: searchParams.getAll("command"),
      socket: acceptChannels(request, socket),
    };
    executions.push(execution);
    state.onExec(execution);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const podOf = (name: string): StoredObject => {
    const pod = objects.get(`pods/${name}`);
    if (!pod) throw new Error(`the double has no pod ${name}`);
    return pod;
  };
  /** What a kubelet would report. */
  const setStatus = (name: string, phase: string, container: object): void => {
    const pod = podOf(name);
    pod.status = { phase, containerStatuses: [{ name: "workload", state: container }] };
    advance(`pods/${name}`, pod);
  };
  const startedAt = "2026-01-01T00:00:00Z";
  return {
    address,
    objects,
    namespaces,
    requests,
    failures,
    executions,
    denied,
    state,
    setStatus,
    config: (): KubeConfig => {
      const caData = Buffer.from(CERT).toString("base64");
      const config = new KubeConfig();
      config.loadFromClusterAndUser(
        { name: "double", server: address, ...(tls && { caData }), skipTLSVerify: !tls },
        { name: "svc" },
      );
      return config;
    },
    /** Answers nothing until the returned function is called. */
    hold(): () => void {
      let release = () => {};
      state.held = new Promise<void>((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    pods: () => [...objects.keys()].filter(isPod).map((path) => path.replace("pods/", "")),
    secrets: () => [...objects.keys()].filter((path) => path.startsWith("secrets/")),
    run(name: string): void {
      logs.set(`pods/${name}`, { text: "", followers: new Set() });
      setStatus(name, "Running", { running: { startedAt } });
    },
    exit(name: string, exitCode: number, reason = exitCode === 0 ? "Completed" : "Error"): void {
      const terminated = { exitCode, reason, startedAt, finishedAt: "2026-01-01T00:01:00Z" };
      setStatus(name, exitCode === 0 ? "Succeeded" : "Failed", { terminated });
      for (const follower of logs.get(`pods/${name}`)?.followers ?? []) follower.end();
    },
    waiting: (name: string, reason: string, message: string): void =>
      setStatus(name, "Pending", { waiting: { reason, message } }),
    write(name: string, text: string): void {
      const log = logs.get(`pods/${name}`);
      if (!log) return;
      log.text += text;
      for (const follower of log.followers) follower.write(text);
    },
    cutLogs: (name: string): void => {
      for (const follower of logs.get(`pods/${name}`)?.followers ?? []) follower.destroy();
      logs.get(`pods/${name}`)?.followers.clear();
    },
    /** Also forgets what happened until now, so that the next watch gets 410 Gone. */
    cutWatches({ gone = false } = {}): void {
      if (gone) state.oldest = ++state.version;
      for (const { response } of watches) response.destroy();
      watches.clear();
    },
    watchCount: () => watches.size,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

export type KubernetesDouble = Awaited<ReturnType<typeof startKubernetesDouble>>;

interface Body {
  metadata?: Partial<StoredObject["metadata"]>;
  spec?: { resourceAttributes?: { verb: string; resource: string } };
  gracePeriodSeconds?: number;
}

type Done = (status: number, object: unknown) => void;

/** What a program that ran sends at its end. */
export function endExecution({ socket }: Pick<Execution, "socket">, output: string, report: object): void {
  socket.send(1, output);
  socket.send(3, JSON.stringify(report));
}

export const exitReport = (code: number): object =>
  code === 0
    ? { status: "Success" }
    : {
        status: "Failure",
        reason: "NonZeroExitCode",
        details: { causes: [{ reason: "ExitCode", message: String(code) }] },
      };

function send(response: ServerResponse, { type, object }: { type: string; object: StoredObject }): void {
  response.write(`${JSON.stringify({ type, object })}\n`);
}

function matches({ metadata }: StoredObject, selector: string): boolean {
  const pairs = selector.split(",").map((pair) => pair.split("="));
  return pairs.every(([key = "", value]) => metadata.labels?.[key] === value);
}

function reply(response: ServerResponse | undefined, status: number, object: unknown): void {
  response?.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(object ?? {}));
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Body);
}
