import { unavailableIfAway } from "../engines/postgres/is-away";
import { ERROR_STATUS, ServiceError } from "../kernel/errors";

/** The one error body of every JSON surface (DESIGN section 4). */
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

/** An answer before it becomes a Response, so that its headers are put together once. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | null;
}

/** A known path without this method; the answer names the methods that it has. */
export class MethodNotAllowed extends ServiceError {
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super("method_not_allowed", `${method} is not allowed here; use ${allowed.join(" or ")}.`);
  }
}

/** The answer to a failure. Anything but a ServiceError becomes `internal` without a word of its text. */
export function errorAnswer(failure: unknown, requestId: string): Answer {
  const error = asServiceError(failure);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (error.retryAfterSeconds !== undefined && error.code !== "quota_exceeded") {
    headers["retry-after"] = String(error.retryAfterSeconds);
  }
  if (error instanceof MethodNotAllowed) headers.allow = error.allowed.join(", ");
  if (error.cookie !== undefined) headers["set-cookie"] = error.cookie;
  return { status: ERROR_STATUS[error.code], headers, body: JSON.stringify(errorBody(error, requestId)) };
}

export function errorResponse(failure: unknown, requestId: string): Response {
  const { body, ...init } = errorAnswer(failure, requestId);
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

/** The failure itself when it is one of ours, `unavailable` when the database was away, `internal` for anything else. */
export function asServiceError(failure: unknown): ServiceError {
  const known = unavailableIfAway(failure);
  if (known instanceof ServiceError) return known;
  const text = "Something went wrong on our side. Quote the request id when you report it.";
  return new ServiceError("internal", text, { cause: failure });
}
