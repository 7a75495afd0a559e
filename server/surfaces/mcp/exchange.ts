import type { Logger } from "pino";
import type { Actor } from "../../operation/actor";
import type { Caller } from "../../operation/authorize";
import type { PipelineParts } from "../../operation/pipeline";
import type { RateLimitStatus } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";

export interface McpParts {
  /** Without the path. */
  publicUrl: string;
  /** Counts every request that is not a call of a tool. */
  pipeline: PipelineParts<Caller>;
  /** Counts each call of a tool for its scope. */
  toolPipeline: PipelineParts<Caller>;
  authenticate: (token: string, meta: RequestMeta) => Promise<Actor | undefined>;
  log: Logger;
}

/** One HTTP request of a client with valid credentials, until its response is sent. */
export interface Exchange {
  caller: { actor: Actor };
  meta: RequestMeta;
  request: Request;
  /** The limits that the request was counted against last, for the response headers. */
  limits: readonly RateLimitStatus[];
  /** `limits` count the whole request, which is not a batch: nothing that it calls is counted again. */
  isCounted?: true;
}
