import { ERROR_STATUS, ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { TooEarly } from "../../operation/speculation";
import type { HttpResult } from "./http-result";

/** The error body of every JSON surface. */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    request_id: string;
    param?: string;
    retry_after?: number;
    details?: Record<string, unknown>;
  };
}

/** The path exists, but not with this method; the response lists the allowed methods. */
export class MethodNotAllowed extends ServiceError {
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super("method_not_allowed", `${method} is not allowed here; use ${allowed.join(" or ")}.`);
  }
}

/** Returns the response to a failure. Anything but a ServiceError becomes `internal`, without its message. */
export function errorResult(failure: unknown, requestId: string): HttpResult & { body: string } {
  const error = asServiceError(failure);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (error.retryAfterSeconds !== undefined && error.code !== "quota_exceeded") {
    headers["retry-after"] = String(error.retryAfterSeconds);
  }
  if (error instanceof TooEarly) headers.vary = "Sec-Purpose";
  if (error instanceof MethodNotAllowed) headers.allow = error.allowed.join(", ");
  if (error.cookie !== undefined) headers["set-cookie"] = error.cookie;
  return { status: ERROR_STATUS[error.code], headers, body: JSON.stringify(errorBody(error, requestId)) };
}

export function errorResponse(failure: unknown, requestId: string): Response {
  const { body, ...init } = errorResult(failure, requestId);
  return new Response(body, init);
}

export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  const body: ErrorBody["error"] = { code: error.code, message: error.message, request_id: requestId };
  if (error.param !== undefined) body.param = error.param;
  if (error.retryAfterSeconds !== undefined && error.code !== "quota_exceeded")
    body.retry_after = error.retryAfterSeconds;
  if (error.details !== undefined) body.details = error.details;
  return { error: body };
}
