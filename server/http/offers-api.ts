import type { Logger } from "pino";
import { BROWSER_KEY_RATE } from "../ads/limits";
import type { ServeCtx } from "../ads/serve-ctx";
import type { Visitor } from "../ads/visitor";
import { ServiceError } from "../kernel/errors";
import { authenticateChannel, type KnownKey } from "./authenticate-channel";
import { clickAnswer, clickFailurePage } from "./click-answer";
import { logFailure } from "./log-failure";
import { type Call, mountRows, type Surface } from "./mount-rows";
import { addCors, type CorsScope, preflight } from "./offers-cors";
import { type OffersCallCtx, type OffersRow, offersRows } from "./offers-rows";
import { parseInput } from "./parse-input";
import { pixelAnswer } from "./pixel-answer";
import { readJson, refuseUnstorable } from "./read-body";
import { queryOf } from "./read-input";
import { factsOf, type RequestFacts } from "./request-facts";

export interface OffersApiParts {
  ctx: Omit<ServeCtx, "visitor">;
  /** A keyed hash of an address. */
  hashAddress: (address: string) => string;
  /** Hears that a channel key was used. */
  noteKeyUse: (keyId: string) => void;
  /** True for addresses of data centres. */
  isDataCenter: (address: string) => boolean;
  /** True for loopback visitors of a loopback installation. */
  isExempt: (address: string) => boolean;
  log: Logger;
}

interface OffersCall extends Call<OffersRow> {
  visitor: Visitor;
  key?: KnownKey;
  input?: unknown;
  response?: Response;
}

/** Where browsers say that nobody has looked yet: the standard one, and what older ones send. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

type Step = (call: OffersCall, parts: OffersApiParts) => Promise<void> | void;

/** What every offers request goes through, in this order. */
const PIPELINE: readonly Step[] = [authenticate, limitRate, readInput, run];

/** The JSON API of `/api/v1`: channel keys, never cacheable, readable by the browsers of a channel's origins. */
export function createOffersApi(parts: OffersApiParts): Surface {
  const scopes = new WeakMap<RequestFacts, CorsScope>();
  const browserOrigins = () => parts.ctx.catalog.browserOrigins();
  const rows = mountRows<OffersRow>({
    rows: offersRows,
    // A HEAD of offers would mint offers that nobody receives.
    takesHead: ({ access }) => access !== "channel_key",
    answer: async (started) => {
      const call: OffersCall = { ...started, visitor: visitorOf(started, parts) };
      if (call.row.access === "offer_id") scopes.set(call.facts, { kind: "any_browser_key" });
      for (const step of PIPELINE) {
        await step(call, parts);
        if (call.key) scopes.set(call.facts, corsScopeOf(call.key));
      }
      return call.response ?? new Response(null, { status: 204 });
    },
    finish: (response, request, facts) => {
      const answer = clickFailurePage(request, response) ?? response;
      answer.headers.set("x-request-id", facts.requestId);
      answer.headers.set("cache-control", "no-store");
      addCors(answer.headers, request.headers.get("origin"), {
        scope: scopes.get(facts) ?? scopeOfKey(request, parts),
        allowed: browserOrigins(),
      });
      return answer;
    },
    onFailure: (failure, request, facts) => logFailure(parts.log, failure, { request, facts }),
  });
  return {
    fetch: (request, peer) => {
      if (request.method !== "OPTIONS") return rows.fetch(request, peer);
      const answer = preflight(request.headers.get("origin"), browserOrigins());
      answer.headers.set("x-request-id", factsOf(request, peer).requestId);
      answer.headers.set("cache-control", "no-store");
      return Promise.resolve(answer);
    },
  };
}

/** Who may read an answer that no row gave, such as a 404: the origins of the key's channel, when the key is good. */
function scopeOfKey(request: Request, parts: OffersApiParts): CorsScope {
  try {
    return corsScopeOf(authenticateChannel(request, parts.ctx));
  } catch {
    return { kind: "none" };
  }
}

const corsScopeOf = ({ kind, channel }: KnownKey): CorsScope =>
  kind === "browser" ? { kind: "channel", channel } : { kind: "none" };

function visitorOf({ request, facts }: Call<OffersRow>, parts: OffersApiParts): Visitor {
  const header = request.headers;
  return {
    requestId: facts.requestId,
    userAgent: facts.userAgent,
    get addressHash() {
      return parts.hashAddress(facts.address);
    },
    get dataCenter() {
      return parts.isDataCenter(facts.address);
    },
    exempt: parts.isExempt(facts.address),
    gpc: header.get("sec-gpc") === "1",
    prefetch: PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(header.get(name) ?? "")),
    head: request.method === "HEAD",
  };
}

/** An impression report may carry a server key; a click needs none, and follows its link whatever is sent along. */
function authenticate(call: OffersCall, parts: OffersApiParts): void {
  const { row, request } = call;
  const reportsByServer = row.from === "body" && request.headers.get("x-svc-api-key")?.startsWith("svc_srv_");
  if (row.access !== "channel_key" && !reportsByServer) return;
  call.key = authenticateChannel(request, parts.ctx);
  parts.noteKeyUse(call.key.keyId);
}

/** Browser keys are public, so they are limited by address; a server key is a publisher's secret and has no limit. */
async function limitRate({ key, visitor }: OffersCall, { ctx }: OffersApiParts): Promise<void> {
  if (key?.kind !== "browser" || visitor.exempt) return;
  const verdict = await ctx.counters.take(`browser:${key.channel.id}:${visitor.addressHash}`, BROWSER_KEY_RATE);
  if (verdict.allowed) return;
  throw new ServiceError("rate_limited", "Too many requests from this address; retry later.", {
    retryAfterSeconds: Math.ceil(verdict.retryAfterMs / 1000),
  });
}

async function readInput(call: OffersCall): Promise<void> {
  const { row, request, params } = call;
  const source = { query: () => queryOf(request), path: () => params, body: () => readJson(request, row.mediaTypes) };
  call.input = parseInput(row.input, await source[row.from]());
  // Fields that hold JSON text show what is inside them only now.
  if (row.from === "query") refuseUnstorable(call.input, "", 0);
}

async function run(call: OffersCall, { ctx }: OffersApiParts): Promise<void> {
  const { row, key, visitor, input } = call;
  const reporter: OffersCallCtx["reporter"] = key
    ? { reportedBy: "server", channelId: key.channel.id }
    : { reportedBy: "browser" };
  const result = await row.run(
    { ...ctx, visitor, reporter, ...(key ? { channel: key.channel } : {}) } as OffersCallCtx,
    input,
  );
  if (row.access === "pixel_token") call.response = pixelAnswer();
  else if (row.status === 302) call.response = clickAnswer(result as { location: string });
  else if (row.status === 204) call.response = new Response(null, { status: 204 });
  else call.response = new Response(JSON.stringify(result), { headers: { "content-type": "application/json" } });
}
