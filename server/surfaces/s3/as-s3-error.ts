import type { ErrorCode, ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { type S3Code, S3Error, type S3ErrorExtras } from "./s3-error";

/** The codes of S3 for the reasons that the engine of objects and the operations on buckets have. */
const BY_REASON: Readonly<Record<string, S3Code>> = {
  archived: "InvalidObjectState",
  bad_checksum: "BadDigest",
  bad_digest: "BadDigest",
  bucket_being_deleted: "OperationAborted",
  bucket_not_empty: "BucketNotEmpty",
  customer_key_required: "InvalidRequest",
  delete_marker: "MethodNotAllowed",
  incomplete_body: "IncompleteBody",
  invalid_completion: "InvalidRequest",
  invalid_part: "InvalidPart",
  invalid_part_order: "InvalidPartOrder",
  not_archived: "InvalidObjectState",
  malformed_policy: "MalformedPolicy",
  no_customer_key: "InvalidRequest",
  no_object_lock: "InvalidRequest",
  no_such_bucket: "NoSuchBucket",
  no_such_key: "NoSuchKey",
  no_such_upload: "NoSuchUpload",
  no_such_version: "NoSuchVersion",
  object_lock_enabled: "InvalidBucketState",
  object_locked: "AccessDenied",
  object_too_large: "EntityTooLarge",
  other_customer_key: "InvalidRequest",
  part_too_small: "EntityTooSmall",
  precondition_failed: "PreconditionFailed",
  restore_in_progress: "RestoreAlreadyInProgress",
  retain_until_passed: "InvalidArgument",
  versioning_required: "InvalidBucketState",
};

const BY_CODE: Readonly<Record<ErrorCode, S3Code>> = {
  invalid_request: "InvalidArgument",
  unauthorized: "AccessDenied",
  forbidden: "AccessDenied",
  not_found: "NoSuchKey",
  method_not_allowed: "MethodNotAllowed",
  conflict: "OperationAborted",
  payload_too_large: "EntityTooLarge",
  unsupported_media_type: "InvalidArgument",
  unprocessable: "InvalidArgument",
  rate_limited: "SlowDown",
  quota_exceeded: "QuotaExceeded",
  internal: "InternalError",
  unavailable: "ServiceUnavailable",
};

/** Translates any failure; what is not thrown on purpose is `InternalError` without its message. */
export function asS3Error(failure: unknown): S3Error {
  if (failure instanceof S3Error) return failure;
  const error = asServiceError(failure);
  const code = BY_REASON[String(error.details?.reason)] ?? BY_CODE[error.code];
  return new S3Error(code, error.message, { headers: headersOf(error), cause: error.cause ?? error });
}

function headersOf({ retryAfterSeconds, details }: ServiceError): NonNullable<S3ErrorExtras["headers"]> {
  const isMarker = details?.delete_marker === true || details?.reason === "delete_marker";
  return {
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    ...(isMarker && { "x-amz-delete-marker": "true", "x-amz-version-id": String(details?.version_id) }),
    ...(details?.reason === "delete_marker" && { allow: "DELETE" }),
  };
}
