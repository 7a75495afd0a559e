import type { Logger } from "pino";
import type { Actor } from "../identity/actors/actor";
import { requireScope } from "../identity/actors/require-scope";
import { ServiceError } from "../kernel/errors";
import type { CloudCtx } from "./cloud-ctx";
import type { AnyEndpoint } from "./endpoint";
import { type Answer, errorAnswer } from "./error-response";
import { type IdempotencyParts, runIdempotently } from "./idempotency";
import { logFailure } from "./log-failure";
import type { Surface } from "./mount-rows";
import { addRateHeaders, countRequest, type RateLimitParts, refuseLimited, type Standing } from "./rate-limit";
import { uploadOf } from "./read-body";
import { createInputReader, type Input } from "./read-input";
import { factsOf, type RequestFacts, withBrowser } from "./request-facts";
import { REQUESTS_PER_MINUTE } from "./request-rates";
import { createRouter, type Found } from "./route-rows";

export interface CloudApiParts extends RateLimitParts, IdempotencyParts {
  rows: readonly AnyEndpoint<CloudCtx>[];
  /** The actor of a bearer token, after the same work for every wrong one; may throw why a right one is refused. */
  authenticate: (token: string, facts: RequestFacts) => Promise<Actor | undefined>;
  limitsOf: (actor: Actor) => Promise<{ requestsPerMinute: number }> | { requestsPerMinute: number };
  /** `actor` is undefined for public rows alone. */
  ctxOf: (actor: Actor | undefined, facts: RequestFacts) => CloudCtx;
  log: Logger;
}

/** A row that is ready to read its input. */
interface MountedRow {
  method: string;
  path: string;
  endpoint: AnyEndpoint<CloudCtx>;
  read: ReturnType<typeof createInputReader<CloudCtx>>;
}

interface CloudCall {
  request: Request;
  facts: RequestFacts;
  found: Found<MountedRow>;
  /** Where the caller stands with each limit, as soon as that is known. */
  standings: Standing[];
}

/** Who called; `refusal` says why a token that was sent does not count. */
interface Caller {
  actor?: Actor | undefined;
  refusal?: unknown;
}

const CSV = "text/csv; charset=utf-8; header=present";

/** The JSON API of `/v1`: platform keys and session tokens, one row an endpoint. */
export function createCloudApi(parts: CloudApiParts): Surface {
  const find = createRouter<MountedRow>({
    rows: parts.rows.map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      endpoint,
      read: createInputReader(endpoint),
    })),
  });
  return {
    fetch: async (request, peer) => {
      const facts = factsOf(request, peer);
      const call: CloudCall = { request, facts, found: find(request), standings: [] };
      const answer = await answerOf(call, parts).catch((failure: unknown) => {
        logFailure(parts.log, failure, call);
        return errorAnswer(failure, facts.requestId);
      });
      return finish(call, answer);
    },
  };
}

/** What every `/v1` request goes through, in this order; the first refusal ends it. */
async function answerOf(call: CloudCall, parts: CloudApiParts): Promise<Answer> {
  const caller = await identify(call, parts);
  await limitRate(call, caller, parts);
  const { row, params } = routed(call);
  const { request, facts } = call;
  const { endpoint } = row;
  const actor = authorized(endpoint, caller);
  const { sent, input } = await row.read(request, params);
  const ctx = parts.ctxOf(actor, endpoint.usesCookie ? withBrowser(facts, request) : facts);
  return runIdempotently(parts, { request, facts, endpoint, actor, ctx, sent }, (within) =>
    run(endpoint, within, endpoint.upload ? { ...input, body: uploadOf(request) } : input),
  );
}

/** A wrong token is refused only after the limiter has counted it, and nowhere that needs none. */
async function identify({ request, facts }: CloudCall, parts: CloudApiParts): Promise<Caller> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  try {
    return { actor: await parts.authenticate(token, facts) };
  } catch (refusal) {
    return { refusal };
  }
}

async function limitRate(call: CloudCall, { actor }: Caller, parts: CloudApiParts): Promise<void> {
  const { found, facts } = call;
  const { requestsPerMinute } = actor ? await parts.limitsOf(actor) : { requestsPerMinute: REQUESTS_PER_MINUTE };
  const isBulk = "row" in found && found.row.endpoint.cost === "bulk";
  call.standings = await countRequest(parts, { actor, address: facts.address, requestsPerMinute }, isBulk);
  refuseLimited(call.standings);
}

function routed({ found }: CloudCall): { row: MountedRow; params: Record<string, string> } {
  if ("refusal" in found) throw found.refusal;
  return found;
}

function authorized({ access }: AnyEndpoint<CloudCtx>, { actor, refusal }: Caller): Actor | undefined {
  if (access === "public") return actor;
  if (refusal !== undefined) throw refusal;
  if (!actor) {
    throw new ServiceError(
      "unauthorized",
      "Send a valid platform key or session token: Authorization: Bearer svc_live_… or svc_test_….",
    );
  }
  if (access !== "signed_in") requireScope(actor, access);
  return actor;
}

async function run(row: AnyEndpoint<CloudCtx>, ctx: CloudCtx, input: Input): Promise<Answer> {
  const result = await row.run(ctx, input);
  if (!row.usesCookie) return successOf(row, input, result);
  const { cookie, ...rest } = result as { cookie: string };
  const answer = successOf(row, input, rest);
  // The cookie goes where no script of a page can read it.
  answer.headers["set-cookie"] = cookie;
  return answer;
}

function successOf(row: AnyEndpoint<CloudCtx>, input: Input, result: unknown): Answer {
  if (row.status === 204) return { status: 204, headers: {}, body: null };
  const [type, body] =
    row.csv && input.format === "csv" ? [CSV, row.csv(result)] : ["application/json", JSON.stringify(result)];
  return { status: row.status, headers: { "content-type": type }, body };
}

/** The last touch on every answer, refusals included. */
function finish({ request, facts, standings }: CloudCall, { status, headers, body }: Answer): Response {
  headers["x-request-id"] = facts.requestId;
  headers["cache-control"] = "no-store";
  if (status === 401) headers["www-authenticate"] = "Bearer";
  addRateHeaders(headers, standings);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}
