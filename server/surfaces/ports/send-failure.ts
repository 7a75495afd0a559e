import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { ERROR_STATUS } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import type { RateLimitStatus } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";
import { errorResult } from "../http/error-response";
import { completeHeaders } from "../http/platform-api";

interface Failed {
  outgoing: ServerResponse;
  meta: RequestMeta;
  limits: readonly RateLimitStatus[];
}

/** A response that has begun can only be broken off. */
export function sendFailure(
  log: Pick<Logger, "error" | "debug">,
  { outgoing, meta, limits }: Failed,
  failure: unknown,
): void {
  const { code, message, cause } = asServiceError(failure);
  const line = { request_id: meta.requestId, code };
  if (ERROR_STATUS[code] === 500) log.error({ ...line, err: cause ?? failure }, message);
  else log.debug(line, message);
  if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
  const result = errorResult(failure, meta.requestId);
  completeHeaders(result, { meta, limits });
  const { status, headers, body } = result;
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(outgoing.req.method === "HEAD" ? "" : body);
}
