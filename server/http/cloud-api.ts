import type { Logger } from "pino";
import type { Actor } from "../identity/actors/actor";
import { requireScope } from "../identity/actors/require-scope";
import { ERROR_STATUS, ServiceError } from "../kernel/errors";
import type { AnyEndpoint } from "./endpoint";
import { asServiceError } from "./error-response";
import { type Call, mountRows, type Surface } from "./mount-rows";
import { parseInput } from "./parse-input";
import { readJson, refuseUnstorable, requireMediaType, uploadOf } from "./read-body";
import type { RequestFacts } from "./request-facts";

export interface CloudApiParts<Ctx> {
  rows: readonly AnyEndpoint<Ctx>[];
  /** The actor of a bearer token, after the same work for every wrong one. */
  authenticate: (token: string) => Promise<Actor | undefined>;
  /** `actor` is undefined for public rows alone. */
  ctxOf: (actor: Actor | undefined, facts: RequestFacts) => Ctx;
  log: Logger;
}

interface CloudCall<Ctx> extends Call<AnyEndpoint<Ctx>> {
  actor?: Actor;
  input?: Record<string, unknown>;
  response?: Response;
}

type Step = <Ctx>(call: CloudCall<Ctx>, parts: CloudApiParts<Ctx>) => Promise<void> | void;

const CSV = "text/csv; charset=utf-8; header=present";

/** What every `/v1` request goes through, in this order. */
const PIPELINE: readonly Step[] = [authenticate, authorize, readInput, run];

/** The JSON API of `/v1`: platform keys, one row an endpoint. */
export function createCloudApi<Ctx>(parts: CloudApiParts<Ctx>): Surface {
  return mountRows<AnyEndpoint<Ctx>>({
    rows: parts.rows,
    answer: async (started) => {
      const call: CloudCall<Ctx> = started;
      for (const step of PIPELINE) await step(call, parts);
      return call.response ?? new Response(null, { status: 204 });
    },
    finish: (response, _request, facts) => {
      response.headers.set("x-request-id", facts.requestId);
      response.headers.set("cache-control", "no-store");
      if (response.status === 401) response.headers.set("www-authenticate", "Bearer");
      return response;
    },
    onFailure: (failure, request, facts) => logFailure(parts.log, failure, { request, facts }),
  });
}

/** Failures of ours are logged as errors with their cause; refusals only when debugging. */
export function logFailure(
  log: Logger,
  failure: unknown,
  { request, facts }: { request: Request; facts: RequestFacts },
): void {
  const error = asServiceError(failure);
  const line = {
    request_id: facts.requestId,
    method: request.method,
    path: new URL(request.url).pathname,
    code: error.code,
  };
  if (ERROR_STATUS[error.code] >= 500) log.error({ ...line, err: error.cause ?? error }, error.message);
  else log.debug(line, error.message);
}

async function authenticate<Ctx>(call: CloudCall<Ctx>, parts: CloudApiParts<Ctx>): Promise<void> {
  if (call.row.access === "public") return;
  const token = /^Bearer (\S+)$/i.exec(call.request.headers.get("authorization") ?? "")?.[1] ?? "";
  const actor = await parts.authenticate(token);
  if (!actor) {
    throw new ServiceError(
      "unauthorized",
      "Send a valid platform key: Authorization: Bearer svc_live_… or svc_test_….",
    );
  }
  call.actor = actor;
}

function authorize<Ctx>({ actor, row }: CloudCall<Ctx>): void {
  if (row.access === "public" || row.access === "signed_in") return;
  if (!actor) throw new Error("The pipeline ran out of order.");
  requireScope(actor, row.access);
}

async function readInput<Ctx>(call: CloudCall<Ctx>): Promise<void> {
  const { row, request, params } = call;
  const rest = await readRest(row, request);
  for (const name of Object.keys(rest)) {
    if (name in params) {
      throw new ServiceError("invalid_request", `${name}: it stands in the path; leave it out here.`, { param: name });
    }
  }
  call.input = parseInput(row.input, { ...rest, ...params });
}

async function readRest<Ctx>(row: AnyEndpoint<Ctx>, request: Request): Promise<Record<string, unknown>> {
  if (row.upload) {
    requireMediaType(request.headers.get("content-type"), row.upload);
    const encoding = request.headers.get("content-encoding");
    const query = queryOf(request);
    return {
      ...query,
      content_type: request.headers.get("content-type") ?? "",
      ...(encoding === null ? {} : { content_encoding: encoding }),
    };
  }
  if (row.method === "GET" || row.method === "DELETE") return queryOf(request);
  if (row.method === "POST" && !hasBody(request) && bodyIsOptional(row)) return {};
  const body = await readJson(request, ["application/json"]);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ServiceError("invalid_request", "The body must be a JSON object.", { param: "body" });
  }
  return body as Record<string, unknown>;
}

const hasBody = (request: Request): boolean =>
  request.headers.has("transfer-encoding") || Number(request.headers.get("content-length") ?? 0) > 0;

/** An action such as revoke takes nothing but its path. */
const bodyIsOptional = <Ctx>(row: AnyEndpoint<Ctx>): boolean =>
  Object.keys(row.input.shape).every((name) => row.path.includes(`{${name}}`));

/** The query string as an object; a name given twice becomes an array. */
export function queryOf(request: Request): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  const at = request.url.indexOf("?");
  if (at < 0) return query;
  for (const [name, value] of new URLSearchParams(request.url.slice(at + 1))) {
    const before = query[name];
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
  }
  refuseUnstorable(query, "", 0);
  return query;
}

async function run<Ctx>(call: CloudCall<Ctx>, parts: CloudApiParts<Ctx>): Promise<void> {
  const { row, actor, input, request, facts } = call;
  if (!input) throw new Error("The pipeline ran out of order.");
  const result = await row.run(parts.ctxOf(actor, facts), row.upload ? { ...input, body: uploadOf(request) } : input);
  call.response = answerOf(row, input, result);
}

function answerOf<Ctx>(row: AnyEndpoint<Ctx>, input: Record<string, unknown>, result: unknown): Response {
  if (row.status === 204) return new Response(null, { status: 204 });
  const [type, body] =
    row.csv && input.format === "csv" ? [CSV, row.csv(result)] : ["application/json", JSON.stringify(result)];
  return new Response(body, { status: row.status, headers: { "content-type": type } });
}
