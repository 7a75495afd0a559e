import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { authorize, type Caller } from "../../operation/authorize";
import type { AnyOperation } from "../../operation/operation";
import { parseInput } from "../../operation/parse-input";
import { type PipelineParts, runCall } from "../../operation/pipeline";
import { assertWithinLimits, countRequest, type RateLimitParts } from "../../operation/rate-limit";
import { type Peer, type RequestMeta, requestIdOf } from "../../operation/request-meta";
import { requestsOf, S3_ANONYMOUS_REQUESTS_PER_MINUTE, S3_REQUESTS_PER_MINUTE } from "../../operation/request-rates";
import { asS3Error } from "./as-s3-error";
import { accessDenied, assertAccess } from "./assert-access";
import { assertHeaders } from "./assert-headers";
import { type AuthenticateParts, authenticate } from "./authenticate";
import { corsHeaders, preflightHeaders } from "./bucket-cors";
import { type FoundOperation, findOperation } from "./find-operation";
import { OpenRequests } from "./open-requests";
import { formCaller, formRequest, postObject } from "./post-object";
import { isForm, readForm } from "./read-form";
import { bytesOf } from "./request-body";
import { assertOwner, type S3Call, type S3Caller, type S3Cloud, type S3Result } from "./s3-call";
import { S3Error } from "./s3-error";
import { bucketAtRoot, isBelowS3Path, isS3Host, isSignedForS3, readRequest, type S3Request } from "./s3-request";
import { errorResult, hasGone, sendResult } from "./send-result";

export interface S3SurfaceParts extends AuthenticateParts {
  cloud: S3Cloud;
  limits: RateLimitParts;
  pipeline: PipelineParts<Caller>;
  /** The host below which each bucket has one. */
  s3Host: string | undefined;
  log: Pick<Logger, "error" | "debug">;
  /** Tests pass their own. */
  open?: OpenRequests | undefined;
}

/** The S3 endpoint. It takes requests of Node, because objects pass faster without web streams. */
export interface S3Surface {
  takes(incoming: IncomingMessage): boolean;
  /**
   * Whether a request that is for nothing else of svc is for a bucket: anonymous ones, forms and preflights are not
   * signed, and so they have only their path.
   */
  rest: { mayTake(path: string): boolean; takes(path: string): Promise<boolean> };
  /** Resolves with the status when the response is sent or the client has gone; never throws. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, peer: Peer): Promise<number>;
}

export function createS3Surface(parts: S3SurfaceParts): S3Surface {
  const { s3Host, open = new OpenRequests() } = parts;
  const shared = { ...parts, open };
  return {
    takes: (incoming) => {
      const { url = "/", headers } = incoming;
      if (isBelowS3Path(url.split("?", 1)[0] ?? "")) return true;
      return (s3Host !== undefined && isS3Host(headers.host, s3Host)) || isSignedForS3(incoming);
    },
    rest: {
      mayTake: (path) => bucketAtRoot(path) !== undefined,
      // While buckets cannot be looked up, the response says so instead of a page that was not found.
      takes: (path) => parts.cloud.bucketsByName.exists(bucketAtRoot(path) ?? "").catch(() => true),
    },
    serve: (incoming, outgoing, peer) => new Exchange(shared, { incoming, outgoing, peer }).serve(),
  };
}

interface Ends {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  peer: Peer;
}

/** One request and its response: authenticate, rate limit, find the operation and its bucket, authorize, run, send. */
class Exchange {
  readonly #parts: S3SurfaceParts & { open: OpenRequests };
  readonly #ends: Ends;
  readonly #meta: RequestMeta;
  #request: S3Request | undefined;
  #caller: S3Caller = {};
  #close: (() => void) | undefined;
  /** The headers of every response to this request. */
  #common: Record<string, string>;

  constructor(parts: S3SurfaceParts & { open: OpenRequests }, ends: Ends) {
    this.#parts = parts;
    this.#ends = ends;
    const { headers } = ends.incoming;
    const requestId = requestIdOf(headers["x-request-id"]?.toString());
    this.#meta = { requestId, address: ends.peer.address, userAgent: headers["user-agent"] ?? "" };
    this.#common = { "x-amz-request-id": requestId, "x-request-id": requestId };
  }

  async serve(): Promise<number> {
    const { outgoing, incoming } = this.#ends;
    try {
      await sendResult(outgoing, await this.#answer(), this.#common);
    } catch (failure) {
      // Nobody receives a response, and an upload that the client aborted is no failure.
      if (hasGone(incoming, outgoing)) outgoing.destroy();
      else await this.#fail(asS3Error(failure)).catch(() => outgoing.destroy());
    } finally {
      this.#close?.();
    }
    const { statusCode } = outgoing;
    this.#parts.pipeline.countResponse?.(callerOf(this.#caller), statusCode);
    return statusCode;
  }

  async #answer(): Promise<S3Result> {
    const { incoming } = this.#ends;
    this.#request = readRequest(incoming, this.#meta, this.#parts.s3Host);
    if (incoming.method === "OPTIONS") return this.#preflight(this.#request);
    const { method, bucket, key, headers } = this.#request;
    if (method === "POST" && bucket !== undefined && key === undefined && isForm(headers.get("content-type"))) {
      return this.#postForm(this.#request);
    }
    await this.#authenticate(this.#request);
    await this.#count();
    this.#close = this.#parts.open.open(this.#caller, this.#meta.address);
    return this.#run(findOperation(this.#request));
  }

  /** A form names its key and proves its sender in fields, which are read first. */
  async #postForm(request: S3Request): Promise<S3Result> {
    await this.#count();
    this.#close = this.#parts.open.open({}, this.#meta.address);
    const form = await readForm(request.headers.get("content-type") ?? "", bytesOf(this.#ends));
    this.#caller = await formCaller(this.#parts, form, request);
    this.#request = formRequest(request, form);
    return this.#run({ on: "object", operation: postObject(form) });
  }

  async #authenticate(unverified: S3Request): Promise<void> {
    try {
      const { caller, request } = await authenticate(this.#parts, unverified);
      this.#caller = caller;
      this.#request = request;
    } catch (failure) {
      // Guesses count for the address, and are rejected with a rate limit rather than with what was wrong.
      await this.#count();
      throw failure;
    }
  }

  async #count(requests = 1): Promise<void> {
    const { actor } = this.#caller;
    const { address } = this.#meta;
    const requestsPerMinute = actor ? S3_REQUESTS_PER_MINUTE : S3_ANONYMOUS_REQUESTS_PER_MINUTE;
    const subject = { actor, address, requestsPerMinute, requests, policy: "s3" as const };
    assertWithinLimits(await countRequest(this.#parts.limits, subject));
  }

  async #run(found: FoundOperation): Promise<S3Result> {
    const call = this.#call();
    if (found.on === "installation") {
      this.#authorize(found.operation.access);
      assertHeaders(found.operation.name, call.request.headers);
      return found.operation.run(call);
    }
    const { bucket: name = "", key = "", method, headers, query } = call.request;
    const bucket = await call.cloud.bucketsByName.find(name);
    if (!bucket) throw noSuchBucket();
    this.#common = { ...this.#common, ...corsHeaders(bucket, method, headers) };
    const object = found.on === "object" ? { key, versionId: query.get("versionId") } : {};
    const gate = await assertAccess(call, bucket, { ...found.operation, ...object });
    assertHeaders(found.operation.name, headers);
    assertOwner(bucket, headers.get("x-amz-expected-bucket-owner"));
    if (found.on === "bucket") return found.operation.run({ ...call, bucket });
    return found.operation.run({ ...call, bucket, key, gate });
  }

  #authorize(access: "storage:read" | "storage:write"): void {
    if (!this.#caller.actor) throw accessDenied();
    authorize(access, callerOf(this.#caller));
  }

  #call(): S3Call {
    const { cloud, pipeline } = this.#parts;
    const caller = this.#caller;
    const request = this.#request;
    if (!request) throw new Error("The request is not read yet.");
    // This request is counted already.
    const uncounted = { ...pipeline, countCall: async () => [], countResponse: () => undefined };
    const runOperation = <T>(target: AnyOperation, input: Record<string, unknown>): Promise<T> =>
      runCall<Caller, T>(uncounted, {
        meta: this.#meta,
        target,
        authenticate: () => callerOf(caller),
        readInput: async () => ({ sent: input, input: parseInput(target.input, input) }),
        respond: (result) => result as T,
      });
    const countElements = (elements: number) => this.#countElements(elements);
    return { request, outgoing: this.#ends.outgoing, caller, cloud, countElements, runOperation };
  }

  async #countElements(elements: number): Promise<void> {
    const more = requestsOf(elements) - 1;
    if (more > 0) await this.#count(more);
  }

  async #preflight({ bucket: name = "", headers }: S3Request): Promise<S3Result> {
    await this.#count();
    if (!headers.has("origin") || !headers.has("access-control-request-method")) {
      throw new S3Error("BadRequest", "A preflight request has the headers Origin and Access-Control-Request-Method.");
    }
    const bucket = await this.#parts.cloud.bucketsByName.find(name);
    const allowed = bucket && preflightHeaders(bucket, headers);
    if (allowed) return { headers: allowed };
    throw new S3Error("AccessForbidden", "CORSResponse: no CORS rule of the bucket allows this request.", {
      headers: { vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method" },
    });
  }

  /** Before the response has begun it can be an error; afterwards only the end of the connection tells that it failed. */
  async #fail(error: S3Error): Promise<void> {
    const { outgoing, incoming } = this.#ends;
    const { requestId } = this.#meta;
    const path = this.#request?.path ?? (incoming.url ?? "").split("?", 1)[0];
    const line = { request_id: requestId, method: incoming.method, path: path?.slice(0, 1100), code: error.code };
    const isOurs = error.code === "InternalError" || error.code === "ServiceUnavailable";
    if (isOurs || outgoing.headersSent)
      this.#parts.log.error({ ...line, err: error.extras.cause ?? error }, error.message);
    else this.#parts.log.debug(line, error.message);
    if (outgoing.headersSent) return void outgoing.destroy();
    await sendResult(outgoing, errorResult(error, this.#request, requestId), this.#common);
  }
}

const callerOf = ({ actor }: S3Caller): Caller => (actor ? { actor } : {});

const noSuchBucket = (): S3Error => new S3Error("NoSuchBucket", "The bucket does not exist.");
