import { ServiceError } from "../../../kernel/errors";
import type { Lockable, Retention } from "./objects";

const PUT_MAX_GIB = 5;
/** S3's limits of a put or part, and of an object. */
export const PUT_BYTES_MAX = PUT_MAX_GIB * 1024 ** 3;
export const OBJECT_BYTES_MAX = 5 * 1024 ** 4;

const refusal = (code: "not_found" | "invalid_request" | "conflict", reason: string) => (message: string) =>
  new ServiceError(code, message, { details: { reason } });

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

export const noSuchKey = (key: string): ServiceError =>
  refusal("not_found", "no_such_key")(`There is no object with the key "${short(key)}".`);
export const noSuchVersion = (key: string, versionId: string): ServiceError =>
  refusal("not_found", "no_such_version")(`The object "${short(key)}" has no version "${short(versionId)}".`);
export const noSuchUpload = (uploadId: string): ServiceError =>
  refusal("not_found", "no_such_upload")(`There is no multipart upload "${short(uploadId)}" of this key under way.`);
export const noSuchBucket = (): ServiceError =>
  refusal("not_found", "no_such_bucket")("The bucket does not exist or is being deleted.");

/** The latest version is a delete marker: the object does not exist. */
export const isDeleted = (key: string, versionId: string): ServiceError =>
  new ServiceError("not_found", `The object "${short(key)}" is deleted.`, {
    details: { reason: "no_such_key", delete_marker: true, version_id: versionId },
  });
export const isMarker = (key: string, versionId: string): ServiceError =>
  new ServiceError("method_not_allowed", `This version of "${short(key)}" is a delete marker, which has no content.`, {
    details: { reason: "delete_marker", version_id: versionId },
  });

export const preconditionFailed = (condition: string): ServiceError =>
  new ServiceError("conflict", `The object does not meet the condition of ${condition}; it was not changed.`, {
    details: { reason: "precondition_failed", condition },
  });

/** An archived object that is not restored, or not any more. */
export const isArchived = (key: string): ServiceError =>
  refusal("conflict", "archived")(`The object "${short(key)}" is archived; restore it, then read it.`);
export const notArchived = (key: string, tier: string): ServiceError =>
  refusal("conflict", "not_archived")(`The object "${short(key)}" is ${tier}: it can be read without a restore.`);
export const restoreInProgress = (key: string): ServiceError =>
  refusal(
    "conflict",
    "restore_in_progress",
  )(`The object "${short(key)}" is being restored; read it when that is done.`);

/** A version that a retention or a legal hold keeps from being deleted or replaced. */
export const isLockedVersion = (key: string, { retention, legalHold }: Lockable): ServiceError =>
  new ServiceError(
    "forbidden",
    `This version of "${short(key)}" is protected by object lock: ${whyLocked({ retention, legalHold })}.`,
    {
      details: { reason: "object_locked" },
    },
  );

function whyLocked({ retention, legalHold }: Lockable): string {
  if (legalHold) return "it has a legal hold";
  return `it is retained until ${new Date(retention?.until ?? 0).toISOString()} in ${retention?.mode} mode`;
}

/** A retention that can only be extended. */
export const lockModeStays = (key: string, { mode, until }: Retention): ServiceError =>
  new ServiceError(
    "forbidden",
    `This version of "${short(key)}" is retained until ${new Date(until).toISOString()} in ${mode} mode: ${
      mode === "compliance"
        ? "that can only be extended"
        : "only a request that bypasses governance changes more than a later end"
    }.`,
    { details: { reason: "object_locked" } },
  );

export const noObjectLock = (): ServiceError =>
  refusal(
    "conflict",
    "no_object_lock",
  )("The bucket has no object lock, so its objects have no retention and no legal hold; enable it first.");
export const retainUntilPassed = (): ServiceError =>
  refusal(
    "invalid_request",
    "retain_until_passed",
  )("The time until which a version is retained must be in the future.");

export const invalidPart = refusal("invalid_request", "invalid_part");
export const invalidPartOrder = refusal("invalid_request", "invalid_part_order");
export const invalidCompletion = refusal("invalid_request", "invalid_completion");
export const partTooSmall = refusal("invalid_request", "part_too_small");
export const incompleteBody = refusal("invalid_request", "incomplete_body");
export const badDigest = refusal("invalid_request", "bad_digest");
export const badChecksum = refusal("invalid_request", "bad_checksum");

export const invalidKey = (message: string): ServiceError =>
  new ServiceError("invalid_request", message, { param: "key", details: { reason: "invalid_key" } });

export const tooLarge = (message: string): ServiceError =>
  new ServiceError("payload_too_large", message, { details: { reason: "object_too_large" } });
export const putTooLarge = (): ServiceError =>
  tooLarge(`An object or part of more than ${PUT_MAX_GIB} GiB needs a multipart upload with smaller parts.`);
