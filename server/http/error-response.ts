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

/** The answer to a failure. Anything but a ServiceError becomes `internal` without a word of its text. */
export function errorResponse(failure: unknown, requestId: string): Response {
  const error = asServiceError(failure);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (error.retryAfterSeconds !== undefined && error.code !== "quota_exceeded") {
    headers["retry-after"] = String(error.retryAfterSeconds);
  }
  return new Response(JSON.stringify(errorBody(error, requestId)), { status: ERROR_STATUS[error.code], headers });
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
