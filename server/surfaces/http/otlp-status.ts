import type { ErrorCode, ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { errorResult } from "./error-response";

/** Codes of google.rpc: https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto. */
const RPC_CODES: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 3,
  payload_too_large: 3,
  unsupported_media_type: 3,
  unprocessable: 3,
  not_found: 5,
  forbidden: 7,
  rate_limited: 8,
  quota_exceeded: 8,
  conflict: 9,
  method_not_allowed: 12,
  internal: 13,
  unavailable: 14,
  unauthorized: 16,
};
const PROTOBUF = "application/x-protobuf";
const INFO_TYPE = "type.googleapis.com/google.rpc.ErrorInfo";

/**
 * The response to a failed export request: a Status of google.rpc, in the media type of the request. Its status and
 * headers are those of every other error; `details` has an ErrorInfo with the code of svc.
 */
export function statusResponse(
  failure: unknown,
  { requestId, mediaType }: { requestId: string; mediaType: string },
): Response {
  const error = asServiceError(failure);
  const { status, headers } = errorResult(error, requestId);
  if (mediaType === PROTOBUF) headers["content-type"] = PROTOBUF;
  if (error.code === "unsupported_media_type") headers["accept-encoding"] = "gzip";
  return new Response(mediaType === PROTOBUF ? protobufOf(error) : jsonOf(error, requestId), { status, headers });
}

function jsonOf({ code, message, param }: ServiceError, requestId: string): string {
  const metadata = { request_id: requestId, ...(param !== undefined && { param }) };
  const info = { "@type": INFO_TYPE, reason: code, domain: "svc", metadata };
  return JSON.stringify({ code: RPC_CODES[code], message, details: [info] });
}

/** Without details. */
function protobufOf({ code, message }: ServiceError): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(message);
  return Uint8Array.from([0x08, RPC_CODES[code], 0x12, ...varint(text.byteLength), ...text]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
