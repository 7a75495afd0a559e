import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import { type ErrorCode, ServiceError } from "../../kernel/errors";
import { inputIssues } from "../../kernel/input-failure";

/** The description of a failure for the dashboard, with the same fields as the error body of the REST surfaces. */
export interface Failure {
  code: ErrorCode;
  message: string;
  param?: string;
  retry_after?: number;
  details?: Record<string, unknown>;
  /** Every invalid field, so that a form can mark all of them. */
  fields?: { param: string; message: string }[];
  request_id: string;
}

const TRPC_CODE = {
  invalid_request: "BAD_REQUEST",
  unauthorized: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  method_not_allowed: "METHOD_NOT_SUPPORTED",
  conflict: "CONFLICT",
  payload_too_large: "PAYLOAD_TOO_LARGE",
  unsupported_media_type: "UNSUPPORTED_MEDIA_TYPE",
  unprocessable: "UNPROCESSABLE_CONTENT",
  rate_limited: "TOO_MANY_REQUESTS",
  quota_exceeded: "TOO_MANY_REQUESTS",
  internal: "INTERNAL_SERVER_ERROR",
  unavailable: "SERVICE_UNAVAILABLE",
} as const satisfies Record<ErrorCode, TRPCError["code"]>;

/**
 * Returns a ServiceError as a tRPC error whose code gives the same HTTP status; other errors are returned as they are.
 */
export function toTrpcError(error: TRPCError): TRPCError {
  const cause = unavailableOnConnectionError(error.cause);
  if (!(cause instanceof ServiceError)) return error;
  return new TRPCError({ code: TRPC_CODE[cause.code], message: cause.message, cause });
}

/** The public description of any failure. Unexpected errors become `internal` without their message. */
export function failureOf(error: TRPCError, requestId: string): Failure {
  const { cause } = error;
  if (cause instanceof ServiceError) return fromServiceError(cause, requestId);
  if (error.code === "BAD_REQUEST" && cause instanceof z.ZodError) return fromZodError(cause, requestId);
  const code = PROTOCOL_CODE[error.code];
  if (code) return { code, message: "The dashboard sent an unknown request; reload the page.", request_id: requestId };
  return {
    code: "internal",
    message: "Something went wrong on our side. Quote the request id when you report it.",
    request_id: requestId,
  };
}

/** Errors of tRPC itself, before a procedure runs. */
const PROTOCOL_CODE: Partial<Record<TRPCError["code"], ErrorCode>> = {
  PARSE_ERROR: "invalid_request",
  BAD_REQUEST: "invalid_request",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  PAYLOAD_TOO_LARGE: "payload_too_large",
};

function fromServiceError(error: ServiceError, requestId: string): Failure {
  const failure: Failure = { code: error.code, message: error.message, request_id: requestId };
  if (error.cause instanceof z.ZodError) failure.fields = inputIssues(error.cause);
  if (error.param !== undefined) failure.param = error.param;
  if (error.retryAfterSeconds !== undefined) failure.retry_after = error.retryAfterSeconds;
  if (error.details !== undefined) failure.details = error.details;
  return failure;
}

function fromZodError(error: z.ZodError, requestId: string): Failure {
  const fields = inputIssues(error);
  const [first] = fields;
  const failure: Failure = {
    code: "invalid_request",
    message: first ? `${first.param || "The request"}: ${first.message}` : "The request is not valid.",
    fields,
    request_id: requestId,
  };
  if (first?.param) failure.param = first.param;
  return failure;
}
