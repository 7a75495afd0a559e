import type { ErrorCode, ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { errorResult } from "./error-response";
import type { HttpResult } from "./http-result";

/** The error body of OpenAI's API, with the id of the request. */
export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string; request_id: string };
}

/** OpenAI's `type` of each code; the client libraries choose their classes by the status. */
const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthorized: "authentication_error",
  forbidden: "permission_error",
  rate_limited: "rate_limit_error",
  quota_exceeded: "insufficient_quota",
  internal: "server_error",
  unavailable: "server_error",
};
/** OpenAI's `code` where programs know one; otherwise it is `details.reason`, or else svc's own code. */
const CODES: Partial<Record<ErrorCode, string>> = {
  unauthorized: "invalid_api_key",
  rate_limited: "rate_limit_exceeded",
};

/** OpenAI's clients repeat every 429; what exceeds a budget is refused again. */
const NOT_RETRIED = { "x-should-retry": "false" };

/** The response to a failure in OpenAI's form, with the same status and headers as in svc's own. */
export function openAiErrorResult(failure: unknown, requestId: string): HttpResult & { body: string } {
  const error = asServiceError(failure);
  const { headers, ...result } = errorResult(error, requestId);
  const body = JSON.stringify(openAiErrorOf(error, requestId));
  return { ...result, headers: { ...headers, ...(error.code === "quota_exceeded" && NOT_RETRIED) }, body };
}

/** The error in OpenAI's form. */
export function openAiErrorOf(error: ServiceError, requestId: string): OpenAiError {
  const { code, message, param = null, details } = error;
  const reason = typeof details?.reason === "string" ? details.reason : undefined;
  return {
    error: {
      message,
      type: TYPES[code] ?? "invalid_request_error",
      param,
      code: CODES[code] ?? reason ?? (code === "quota_exceeded" ? "insufficient_quota" : code),
      request_id: requestId,
    },
  };
}
