import type { Logger } from "pino";
import type { ImpressionReporter } from "../../ads/impressions/impression-ctx";
import { BROWSER_KEY_RATE, STORE_WAIT_MS } from "../../ads/limits";
import type { ServingParts } from "../../ads/offers/offers-call-ctx";
import type { Visitor } from "../../ads/visitor";
import { enforceRate } from "../../engines/counters/fail-open";
import type { RequestCounter } from "../../identity/request-counts/request-counter";
import { withTimeout } from "../../kernel/with-timeout";
import type { Caller } from "../../operation/authorize";
import { logFailure } from "../../operation/log-failure";
import { parseInput } from "../../operation/parse-input";
import { type Input, type PipelineParts, runCall } from "../../operation/pipeline";
import { type Peer, type RequestMeta, requestMetaOf } from "../../operation/request-meta";
import type { Route } from "../../operation/route";
import { isSpeculative } from "../../operation/speculation";
import { authenticateChannel, type ChannelKeyHolder } from "./authenticate-channel";
import { clickFailurePage, clickRedirect } from "./click-redirect";
import type { HttpResult } from "./http-result";
import { mountRows, type Surface } from "./mount-rows";
import { addCors, type CorsScope, preflight } from "./offers-cors";
import { pixelResult } from "./pixel-result";
import { readJson } from "./read-body";
import { queryOf } from "./read-input";

export interface OffersApiParts {
  routes: readonly Route[];
  ctx: ServingParts;
  /** A keyed hash of an address. */
  hashAddress: (address: string) => string;
  /** A keyed hash of the network of an address. */
  hashNetwork: (address: string) => string;
  /** Records that a channel key was used. */
  recordKeyUse: (keyId: string) => void;
  /** True for addresses of data centers. */
  isDataCenter: (address: string) => boolean;
  /** True for loopback clients when PUBLIC_URL is a loopback address. */
  isExempt: (address: string) => boolean;
  requestCounter: Pick<RequestCounter, "count" | "add">;
  log: Logger;
}

/** The caller of the offers API: the holder of a channel key, or anyone. */
interface ChannelCaller extends Caller {
  channelKey?: ChannelKeyHolder | undefined;
  visitor: Visitor;
}

/**
 * The JSON API of `/api/v1`: uses channel keys, is never cached, and is readable by browsers on the origins of a
 * channel.
 */
export function createOffersApi(parts: OffersApiParts): Surface {
  const scopes = new WeakMap<RequestMeta, CorsScope>();
  const pipeline = offersPipeline(parts);
  const routes = mountRows<Route>({
    rows: parts.routes,
    // A HEAD request for offers would create offers that no one receives.
    takesHead: ({ operation }) => operation.access !== "channel_key",
    answer: ({ row, request, meta, params }) => {
      const { operation } = row;
      scopes.set(meta, { kind: operation.access === "offer_id" ? "any_browser_key" : "none" });
      return runCall(pipeline, {
        meta,
        authenticate: async () => {
          const channelKey = await authenticate(operation, request, parts);
          if (channelKey) scopes.set(meta, corsScopeOf(channelKey));
          return { channelKey, visitor: new RequestVisitor({ request, meta }, parts) };
        },
        target: operation,
        readInput: async () => {
          const sent = await readSource(row, request, params);
          return { sent, input: parseInput(operation.input, sent) };
        },
        respond: (result) => resultOf(row, result),
      });
    },
    finish: async (result, request, meta) => {
      const answer = clickFailurePage(request, result) ?? result;
      answer.headers["x-request-id"] = meta.requestId;
      answer.headers["cache-control"] = "no-store";
      if (request.method === "GET") answer.headers.vary = "Sec-Purpose";
      addCors(answer.headers, request.headers.get("origin"), {
        scope: scopes.get(meta) ?? (await scopeOfKey(request, parts)),
        allowed: parts.ctx.catalog.browserOrigins(),
      });
      return answer;
    },
    onFailure: (failure, request, meta) => logFailure(parts.log, failure, { request, meta }),
  });
  return {
    fetch: (request, peer) => {
      if (request.method !== "OPTIONS") return routes.fetch(request, peer);
      return answerPreflight(request, peer, parts.ctx.catalog);
    },
  };
}

const offersPipeline = (parts: OffersApiParts): PipelineParts<ChannelCaller> => ({
  countCall: async (caller) => {
    await limitRate(caller, parts);
    return [];
  },
  contextOf: (_, { channelKey, visitor }) => {
    const reporter: ImpressionReporter = channelKey
      ? { reportedBy: "server", channelId: channelKey.channel.id }
      : { reportedBy: "browser" };
    return { ...parts.ctx, visitor, reporter, channel: channelKey?.channel };
  },
  countResponse: ({ channelKey }, status) => countChannelKey(parts.requestCounter, channelKey, status),
});

function countChannelKey(
  counter: OffersApiParts["requestCounter"],
  key: ChannelKeyHolder | undefined,
  status: number,
): void {
  if (!key || counter.count(key.keyId, status)) return;
  const { keyId, kind, channel } = key;
  counter.add({ tenantId: channel.tenantId, mode: channel.mode, kind, keyId, parentId: channel.id }, status);
}

/** The location of the input: the query of a GET, its path if it has parameters, otherwise the body. */
function readSource({ method, path, operation }: Route, request: Request, params: Record<string, string>) {
  if (method !== "GET") return readJson(request, operation.mediaTypes ?? JSON_ONLY) as Promise<Input>;
  return Promise.resolve(path.includes("{") ? params : queryOf(request));
}

const JSON_ONLY = ["application/json"];

function resultOf({ status, operation }: Route, result: unknown): HttpResult {
  if (operation.access === "pixel_token") return pixelResult();
  if (status === 302) return clickRedirect(result as { location: string });
  if (status === 204) return noContent(result as { ignoredIds?: number } | undefined);
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(result) };
}

/** Ids that cannot be offer ids are not an error, but the response reports their number to help developers. */
const noContent = ({ ignoredIds = 0 }: { ignoredIds?: number } = {}): HttpResult => ({
  status: 204,
  headers: ignoredIds > 0 ? { "x-ignored-ids": String(ignoredIds) } : {},
  body: null,
});

/** An origin that no known browser key allows may belong to a key that another process has just created. */
async function answerPreflight(request: Request, peer: Peer, catalog: OffersApiParts["ctx"]["catalog"]) {
  const origin = request.headers.get("origin");
  if (origin !== null && !catalog.browserOrigins().has(origin)) {
    await withTimeout(STORE_WAIT_MS, catalog.refresh()).catch(() => undefined);
  }
  const answer = preflight(origin, catalog.browserOrigins());
  answer.headers.set("x-request-id", requestMetaOf(request, peer).requestId);
  answer.headers.set("cache-control", "no-store");
  return answer;
}

/** Who may read a response without a row, such as a 404: the origins of the channel, if the key is valid. */
async function scopeOfKey(request: Request, parts: OffersApiParts): Promise<CorsScope> {
  try {
    return corsScopeOf(await authenticateChannel(request, parts.ctx));
  } catch {
    return { kind: "none" };
  }
}

const corsScopeOf = ({ kind, channel }: ChannelKeyHolder): CorsScope =>
  kind === "browser" ? { kind: "channel", channel } : { kind: "none" };

/** Hashes and lookups happen when they are read: most requests need none of them. */
class RequestVisitor implements Visitor {
  readonly requestId: string;
  readonly userAgent: string;
  readonly exempt: boolean;
  readonly gpc: boolean;
  readonly prefetch: boolean;
  readonly head: boolean;
  readonly #address: string;
  readonly #parts: OffersApiParts;

  constructor({ request, meta }: { request: Request; meta: RequestMeta }, parts: OffersApiParts) {
    const header = request.headers;
    this.requestId = meta.requestId;
    this.userAgent = meta.userAgent;
    this.exempt = parts.isExempt(meta.address);
    this.gpc = header.get("sec-gpc") === "1";
    this.prefetch = isSpeculative((name) => header.get(name));
    this.head = request.method === "HEAD";
    this.#address = meta.address;
    this.#parts = parts;
  }

  get addressHash(): string {
    return this.#parts.hashAddress(this.#address);
  }

  get networkHash(): string {
    return this.#parts.hashNetwork(this.#address);
  }

  get dataCenter(): boolean {
    return this.#parts.isDataCenter(this.#address);
  }
}

/** An impression report may have a server key; a click needs none, and is redirected whatever headers it has. */
async function authenticate(
  { access, mediaTypes }: Route["operation"],
  request: Request,
  parts: OffersApiParts,
): Promise<ChannelKeyHolder | undefined> {
  const reportsByServer = mediaTypes !== undefined && request.headers.get("x-svc-api-key")?.startsWith("svc_srv_");
  if (access !== "channel_key" && !reportsByServer) return undefined;
  const known = await authenticateChannel(request, parts.ctx);
  parts.recordKeyUse(known.keyId);
  return known;
}

/**
 * Browser keys are public, so requests with them are limited by address; a server key is secret and has no such limit.
 */
async function limitRate({ channelKey: key, visitor }: ChannelCaller, { ctx }: OffersApiParts): Promise<void> {
  if (key?.kind !== "browser" || visitor.exempt) return;
  const take = { key: `browser:${key.channel.id}:${visitor.addressHash}`, rate: BROWSER_KEY_RATE };
  await enforceRate(ctx.counters, take, "Too many requests from this address; retry later.");
}
