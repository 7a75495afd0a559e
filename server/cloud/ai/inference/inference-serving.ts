import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Resource } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { reconcileResource } from "../../core/reconciler/reconciler";
import { DEFAULT_TIMES, type Upstream, type UpstreamRequest } from "../gateway/upstream";
import { UpstreamFailure } from "../gateway/upstream-failure";
import type { ChatPayer } from "../ledger/chat-ledger";
import { type EndpointSpec, modelNameOf } from "./endpoint-spec";
import { EndpointTraffic } from "./endpoint-traffic";
import type { InferenceParts } from "./inference-ctx";
import { reportLoad } from "./loads";
import { connectReplica, requestOn } from "./reach-replica";
import { markUnready } from "./read-endpoints";
import { isServing, type Replica, readReplicas } from "./replicas";

const REPORT_MS = 500;
const FRESH_MS = 1000;
const PLACES_MAX = 10_000;
const TRIES_MAX = 4;
const UPSTREAMS_MAX = 1000;
const ENDPOINTS_MAX = 10_000;
const SERVED = ["provisioning", "ready", "degraded", "failed"];

/** What passing requests to endpoints uses. */
export type InferenceServingParts = Pick<
  InferenceParts,
  "db" | "sql" | "clock" | "podRuns" | "encryptionKey" | "reconciling"
>;

/** Inference endpoints as upstreams of the chat gateway of this process. */
export class InferenceServing {
  readonly #parts: InferenceServingParts;
  readonly #processId = randomUUID();
  readonly #traffic = new LRUCache<string, EndpointTraffic>({ max: ENDPOINTS_MAX });
  readonly #upstreams = new LRUCache<string, Promise<Upstream[]>>({ max: PLACES_MAX, ttl: FRESH_MS });
  readonly #timer: NodeJS.Timeout;
  #reporting: Promise<unknown> = Promise.resolve();

  constructor(parts: InferenceServingParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#report(), REPORT_MS);
    this.#timer.unref();
  }

  /** The endpoints of a project and mode. */
  upstreamsOf({ projectId, mode }: Pick<ChatPayer, "projectId" | "mode">): Promise<readonly Upstream[]> {
    const key = `${projectId} ${mode}`;
    const known = this.#upstreams.get(key);
    if (known) return known;
    const read = this.#read({ projectId, mode });
    this.#upstreams.set(key, read);
    read.catch(() => this.#upstreams.delete(key));
    return read;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
  }

  async #read(owner: Pick<ChatPayer, "projectId" | "mode">): Promise<Upstream[]> {
    const rows = await this.#parts.db.resource.findMany({
      where: { ...owner, plane: "gpuc", service: "inference", state: { in: SERVED }, archivedAt: null },
      orderBy: { id: "asc" },
      take: UPSTREAMS_MAX,
    });
    return rows.map((row) => this.#upstreamOf(row));
  }

  #upstreamOf({ id, name, spec }: Resource): Upstream {
    const model = { name: modelNameOf(name), upstreamName: (spec as EndpointSpec).model, kind: "chat" as const };
    return {
      id,
      owner: "tenant",
      baseUrl: "",
      weight: 1,
      priority: 0,
      ...DEFAULT_TIMES,
      // Its replicas are metered by the second.
      models: [{ ...model, price: { inputNanos: 0, outputNanos: 0 }, contextTokens: undefined }],
      key: () => undefined,
      post: (request) => this.#post(id, request),
    };
  }

  /** Another replica is tried until one has begun to answer. */
  async #post(id: string, request: UpstreamRequest): Promise<IncomingMessage> {
    const traffic = this.#trafficOf(id);
    traffic.add();
    let last: unknown;
    for (let tries = 0; tries < TRIES_MAX && !request.signal.aborted; tries++) {
      const replica = await traffic.replica(request.signal, () => this.#wake(id));
      const release = traffic.begin(replica.row.podId);
      try {
        const response = await send(this.#parts, replica, request);
        response.once("close", release);
        return response;
      } catch (failure) {
        release();
        if (request.signal.aborted || isForClient(failure)) throw failure;
        last = failure;
        traffic.avoid(replica.row.podId);
        await markUnready(this.#parts, replica.row.podId);
      }
    }
    throw new UpstreamFailure("no replica responded", { cause: last });
  }

  #trafficOf(id: string): EndpointTraffic {
    const known = this.#traffic.get(id);
    if (known) return known;
    const traffic = new EndpointTraffic(async () => (await readReplicas(this.#parts, [id])).filter(isServing));
    this.#traffic.set(id, traffic);
    return traffic;
  }

  /** A request waits for a replica, which may have to be created. */
  #wake(id: string): void {
    this.#report();
    void this.#reporting.then(() => reconcileResource(this.#parts.reconciling, id)).catch(() => undefined);
  }

  #report(): void {
    const loads = [...this.#traffic.entries()].flatMap(([endpointId, traffic]) => {
      const load = traffic.take();
      return load ? [{ endpointId, processId: this.#processId, ...load }] : [];
    });
    const before = this.#reporting;
    this.#reporting = before
      .then(() => Promise.all(loads.map((load) => reportLoad(this.#parts, load))))
      .catch(() => undefined);
  }
}

/** The pod or the tenant has too many connections, which another replica does not change. */
const isForClient = (failure: unknown): boolean => failure instanceof ServiceError && failure.code === "rate_limited";

async function send(
  parts: InferenceServingParts,
  { row, pod }: Replica,
  request: UpstreamRequest,
): Promise<IncomingMessage> {
  if (!pod) throw new UpstreamFailure("the replica has gone");
  const { path, body, accept, signal } = request;
  const connection = await connectReplica(parts, { pod, port: row.port });
  const headers = {
    host: `localhost:${row.port}`,
    "content-type": "application/json",
    accept,
    "content-length": Buffer.byteLength(body),
    "accept-encoding": "identity",
  };
  return requestOn(connection, { method: "POST", path: `/v1${path}`, headers, body, signal });
}
