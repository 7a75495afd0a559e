import {
  createMcpHandler,
  type McpServerFactory,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { Event as EventRow } from "../../engines/postgres/generated/client";
import type { EventSubscribers } from "../../identity/events/event-subscribers";
import { ServiceError } from "../../kernel/errors";
import type { Exchange, McpParts } from "./exchange";
import { isAboutObject, objectAt } from "./object-resources";
import { EVENTS_URI, resourcesFor } from "./resources";

export const LISTEN = "subscriptions/listen";
/** Resources of one stream. */
const URIS_MAX = 100;
const STREAMS_PER_TENANT = 20;
const STREAMS_MAX = 1000;
/** Notifications that a client has not read yet; one that lets more wait is disconnected. */
const UNREAD_MAX = 1000;

type ListenParts = Pick<McpParts, "log" | "stopping" | "authenticate"> & { subscribers: EventSubscribers };

/**
 * Streams of changes of resources (`subscriptions/listen` of the revision 2026-07-28): objects by their id, and the list of
 * events. A stream ends when its client leaves or does not read, when its key no longer works, and when svc stops.
 */
export class Subscriptions {
  readonly #parts: ListenParts;
  readonly #factory: McpServerFactory;
  readonly #open = new Map<string, number>();

  constructor(parts: ListenParts, factory: McpServerFactory) {
    this.#parts = parts;
    this.#factory = factory;
  }

  /** Throws `rate_limited` for too many streams, and `invalid_request` for too many resources. */
  async listen(exchange: Exchange, body: unknown): Promise<Response> {
    const { tenantId } = exchange.caller.actor;
    this.#assertRoom(tenantId);
    const uris = urisIn(body);
    if (uris.length > URIS_MAX) {
      throw new ServiceError("invalid_request", `resourceSubscriptions: expected at most ${URIS_MAX} resources.`);
    }
    const known = uris.filter((uri) => canSubscribe(uri, exchange));
    this.#count(tenantId, 1);
    const stream = new Stream(this.#parts, exchange, () => this.#count(tenantId, -1));
    return stream.open(this.#factory, { body: withUris(body, known), uris: known });
  }

  #assertRoom(tenantId: string): void {
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    if ((this.#open.get(tenantId) ?? 0) < STREAMS_PER_TENANT && all < STREAMS_MAX) return;
    const message = `A tenant can listen on ${STREAMS_PER_TENANT} streams at once; end one, or name more resources on one.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: 10 });
  }

  #count(tenantId: string, change: number): void {
    const count = (this.#open.get(tenantId) ?? 0) + change;
    if (count > 0) this.#open.set(tenantId, count);
    else this.#open.delete(tenantId);
  }
}

class Stream implements ServerEventBus {
  readonly #parts: ListenParts;
  readonly #exchange: Exchange;
  readonly #onEnd: () => void;
  readonly #ending = new AbortController();
  #listener: (event: ServerEvent) => void = () => undefined;
  #unread = 0;
  #checking: Promise<void> | undefined;

  constructor(parts: ListenParts, exchange: Exchange, onEnd: () => void) {
    this.#parts = parts;
    this.#exchange = exchange;
    this.#onEnd = onEnd;
  }

  async open(factory: McpServerFactory, { body, uris }: { body: unknown; uris: readonly string[] }): Promise<Response> {
    const { subscribers, stopping, log } = this.#parts;
    const { caller, request } = this.#exchange;
    const unsubscribe = await subscribers.subscribe(caller.actor, (event) => this.#notify(event, uris));
    this.#ending.signal.addEventListener("abort", () => {
      unsubscribe();
      this.#onEnd();
    });
    const handler = createMcpHandler(factory, { bus: this, onerror: (err) => log.debug({ err }, "a stream ended") });
    this.#ending.signal.addEventListener("abort", () => void handler.close());
    const end = () => this.#ending.abort();
    stopping.addEventListener("abort", end, { once: true, signal: this.#ending.signal });
    const authInfo = { token: "", clientId: "", scopes: [], extra: { exchange: this.#exchange } };
    const response = await handler.fetch(request, { authInfo, parsedBody: body });
    if (!response.body) {
      end();
      return response;
    }
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.#unread = Math.max(0, this.#unread - 1);
        controller.enqueue(chunk);
      },
    });
    // Ends with the protocol's stream, and when the client cancels.
    response.body.pipeTo(counted.writable).then(end, end);
    return new Response(counted.readable, response);
  }

  /** Nothing but events changes what this stream is about. */
  publish(): void {}

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => undefined;
    };
  }

  /** Callers are authenticated again before they are told, because a stream can live longer than its key. */
  #notify(event: EventRow, uris: readonly string[]): void {
    const changed = uris.filter((uri) => isAbout(event, uri));
    if (changed.length === 0) return;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    void this.#checking.then(() => {
      if (this.#ending.signal.aborted) return;
      for (const uri of changed) this.#listener({ kind: "resource_updated", uri });
      this.#unread += changed.length;
      if (this.#unread > UNREAD_MAX) this.#ending.abort();
    });
  }

  async #check(): Promise<void> {
    const { request, meta } = this.#exchange;
    const token = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const actor = await this.#parts.authenticate(token, meta).catch(() => undefined);
    if (!actor) this.#ending.abort();
  }
}

interface Listen {
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

const urisIn = (body: unknown): string[] => {
  const uris = (body as Listen).params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.map(String) : [];
};

/** The request, only with resources that can be subscribed to; the acknowledgment names them. */
function withUris(body: unknown, uris: readonly string[]): unknown {
  const { params } = body as Listen;
  if (!Array.isArray(params?.notifications?.resourceSubscriptions)) return body;
  const notifications = { ...params.notifications, resourceSubscriptions: uris };
  return { ...(body as object), params: { ...params, notifications } };
}

function canSubscribe(uri: string, { caller: { actor } }: Exchange): boolean {
  if (uri === EVENTS_URI) return resourcesFor(actor).some((one) => one.uri === uri);
  return objectAt(uri, actor) !== undefined;
}

const isAbout = (event: EventRow, uri: string): boolean => uri === EVENTS_URI || isAboutObject(event, uri);
