import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { REQUEST_BYTES_MAX } from "../../cloud/edge/workers/edge-fields";
import type { EdgeRunner, PublishedFunction } from "../../cloud/edge/workers/edge-runner";
import type { Hosted } from "../../cloud/edge/workers/hosted-response";
import type { Counters, Rate } from "../../engines/counters/counters";
import { failOpen } from "../../engines/counters/fail-open";
import { clientOf } from "../../identity/address-hash";
import { ClientLimit, type ClientLimitOptions } from "../../identity/client-limit";
import { ByteBudget } from "../../kernel/byte-budget";
import { ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { requestIdOf } from "../../operation/request-meta";
import type { StreamClient } from "../http/create-server";
import { headersForFunction } from "./edge-headers";
import { ResponseWriter } from "./response-writer";
import { sendFailure } from "./send-failure";
import { sendHosted } from "./send-hosted";

export interface EdgeSurfaceParts {
  edge: EdgeRunner;
  counters: Pick<Counters, "take">;
  publicUrl: string;
  log: Pick<Logger, "error">;
  /** Requests of one client at once. */
  connectionsPerAddress: ClientLimitOptions;
  /** Bodies of requests in memory, of all functions; by default 256 MiB. */
  bodies?: ByteBudget;
}

/** The hosts of edge functions: every path of them belongs to the function. */
export interface EdgeSurface {
  takes(incoming: IncomingMessage): boolean;
  /** Resolves with the status when the function has ended; never throws. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, client: StreamClient): Promise<number>;
}

/** Of one function, in all processes. */
const RATE: Rate = { perSecond: 1000, burst: 2000 };
const BODIES_BYTES_MAX = 256 * 1024 * 1024;
/** Of what is free of that: a function alone gets a third, and a client a fifth. */
const FUNCTION_OF_FREE = 1 / 2;
const CLIENT_OF_FREE = 1 / 4;

export function createEdgeSurface(parts: EdgeSurfaceParts): EdgeSurface {
  const { bodies = new ByteBudget(BODIES_BYTES_MAX) } = parts;
  const clients = new ClientLimit(parts.connectionsPerAddress);
  return {
    takes: ({ headers }) => parts.edge.slugOf(headers.host) !== undefined,
    serve: (incoming, outgoing, client) => {
      const leave = clients.enter(client.address);
      if (leave) outgoing.once("close", leave);
      const exchange = new Exchange(parts, bodies, { incoming, outgoing, client });
      return leave ? exchange.serve() : exchange.refuse(tooManyOfClient(parts.connectionsPerAddress));
    },
  };
}

interface Ends {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  client: StreamClient;
}

/** One request to the host of a function, and its response. */
class Exchange {
  readonly #parts: EdgeSurfaceParts;
  readonly #bodies: ByteBudget;
  readonly #ends: Ends;
  readonly #requestId: string;
  readonly #writer: ResponseWriter;
  readonly #gone = new AbortController();

  constructor(parts: EdgeSurfaceParts, bodies: ByteBudget, ends: Ends) {
    this.#parts = parts;
    this.#bodies = bodies;
    this.#ends = ends;
    this.#requestId = requestIdOf(ends.incoming.headers["x-request-id"]?.toString());
    this.#writer = new ResponseWriter(ends.outgoing);
    ends.outgoing.once("close", () => {
      if (!this.#writer.hasEnded) this.#gone.abort();
    });
  }

  async serve(): Promise<number> {
    const { outgoing } = this.#ends;
    try {
      const slug = this.#parts.edge.slugOf(this.#ends.incoming.headers.host) ?? "";
      const found = slug === "" ? undefined : await this.#parts.edge.find(slug);
      if (!found) throw new ServiceError("not_found", "There is no published edge function at this address.");
      if ("hosted" in found) await this.#sendHosted(found.hosted);
      else {
        await this.#admit(found.fn.id);
        await this.#respond(found.fn);
      }
    } catch (failure) {
      this.#fail(failure);
    }
    return outgoing.statusCode;
  }

  async refuse(failure: ServiceError): Promise<number> {
    this.#fail(failure);
    return this.#ends.outgoing.statusCode;
  }

  /** Sends what svc has for a host that no function has. */
  async #sendHosted({ id, response }: Hosted): Promise<void> {
    const { incoming, outgoing } = this.#ends;
    await this.#admit(id);
    outgoing.setHeader("X-Request-ID", this.#requestId);
    sendHosted({ incoming, outgoing }, response);
  }

  /** Throws for a host that gets too many requests, and for an upgrade. */
  async #admit(id: string): Promise<void> {
    const { counters } = this.#parts;
    const { incoming, client } = this.#ends;
    if (client.head) throw noWebSockets();
    if (incoming.method === "TRACE") throw new ServiceError("method_not_allowed", "Edge functions receive no TRACE.");
    const verdict = await failOpen(counters.take(`edge:${id}`, RATE));
    if (verdict && !verdict.allowed) throw tooMany(Math.max(1, Math.ceil(verdict.retryAfterMs / 1000)));
  }

  async #respond(fn: PublishedFunction): Promise<void> {
    const { incoming, outgoing, client } = this.#ends;
    if (incoming.headers.expect !== undefined) outgoing.writeContinue();
    const holders = [
      { key: fn.id, ofFree: FUNCTION_OF_FREE },
      { key: clientOf(client.address), ofFree: CLIENT_OF_FREE },
    ];
    const sent = incoming.iterator({ destroyOnReturn: false });
    await this.#bodies.read(sent, { bytesMax: REQUEST_BYTES_MAX, holders }, (body) => this.#pass(fn, body));
  }

  async #pass(fn: PublishedFunction, body: Buffer): Promise<void> {
    const { incoming, outgoing, client } = this.#ends;
    const { edge, publicUrl } = this.#parts;
    const beganAt = performance.now();
    const { method = "GET", url = "/" } = incoming;
    const forwarding = { address: client.address, publicUrl, requestId: this.#requestId };
    const request = {
      id: this.#requestId,
      method,
      body,
      signal: this.#gone.signal,
      origin: `${new URL(publicUrl).protocol}//${incoming.headers.host ?? ""}`,
      path: url.startsWith("/") ? url : "/",
      headers: headersForFunction(incoming, forwarding),
    };
    outgoing.setHeader("X-Request-ID", this.#requestId);
    let failure: ServiceError | undefined;
    try {
      await edge.run(fn, request, this.#writer);
    } catch (cause) {
      failure = asServiceError(cause);
      if (!this.#gone.signal.aborted) this.#fail(cause);
    }
    this.#note(fn, { failure, ms: performance.now() - beganAt });
  }

  /** Adds the request to the logs of the function, and how its code failed. */
  #note(
    { id: edgeId, version, tenantId }: PublishedFunction,
    { failure, ms }: { failure?: ServiceError | undefined; ms: number },
  ) {
    const { incoming, outgoing } = this.#ends;
    const { logs } = this.#parts.edge;
    const line = { tenantId, edgeId, version, requestId: this.#requestId, at: new Date() };
    const isGone = this.#gone.signal.aborted;
    if (failure && !isGone) {
      const reason = typeof failure.details?.reason === "string" ? failure.details.reason : failure.code;
      logs.add({ ...line, level: "error", text: `${reason}: ${failure.message}` });
    }
    const path = (incoming.url ?? "/").split("?", 1)[0]?.slice(0, 500);
    const status = isGone ? "client disconnected" : outgoing.statusCode;
    logs.add({ ...line, level: "request", text: `${incoming.method} ${path} ${status} ${Math.round(ms)} ms` });
  }

  /** A response that has begun can only be broken off. */
  #fail(failure: unknown): void {
    const { incoming, outgoing } = this.#ends;
    if (outgoing.destroyed || incoming.errored || this.#writer.hasEnded) return;
    const error = asServiceError(failure);
    const requestId = this.#requestId;
    if (error.code === "internal" && error.details?.reason === undefined)
      this.#parts.log.error({ request_id: requestId, err: error.cause ?? failure }, error.message);
    if (outgoing.headersSent) return void outgoing.destroy();
    sendFailure({ incoming, outgoing, requestId }, error);
  }
}

const noWebSockets = (): ServiceError =>
  new ServiceError("unprocessable", "Edge functions have no WebSockets; send an ordinary HTTP request.", {
    details: { reason: "websocket" },
  });

const tooMany = (retryAfterSeconds: number): ServiceError =>
  new ServiceError("rate_limited", `The edge function gets more than ${RATE.perSecond} requests per second.`, {
    retryAfterSeconds,
  });

const tooManyOfClient = ({ max }: ClientLimitOptions): ServiceError =>
  new ServiceError("rate_limited", `A client has at most ${max} requests to edge functions at once; retry shortly.`, {
    retryAfterSeconds: 1,
    details: { reason: "client_concurrency" },
  });
