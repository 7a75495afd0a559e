import { ServiceError } from "../../kernel/errors";

export const blobMissing = (name: string, cause?: unknown): ServiceError =>
  new ServiceError("internal", "The content of the object is missing from the storage of this installation.", {
    details: { reason: "blob_missing" },
    cause: cause ?? new Error(`The blob ${name} does not exist.`),
  });

export const blobDamaged = (name: string, what: string): ServiceError =>
  new ServiceError("internal", "The stored content of the object is damaged: its checksum differs.", {
    details: { reason: "blob_damaged" },
    cause: new Error(`The blob ${name} is damaged: ${what}.`),
  });

export const diskFull = (message: string, cause?: unknown): ServiceError =>
  new ServiceError("unavailable", message, { details: { reason: "disk_full" }, retryAfterSeconds: 60, cause });

export const storageUnavailable = (message: string, cause: unknown): ServiceError =>
  new ServiceError("unavailable", message, { details: { reason: "object_storage" }, retryAfterSeconds: 5, cause });

export const reasonOf = (failure: unknown): unknown =>
  failure instanceof ServiceError ? failure.details?.reason : undefined;

/** The code of a failed system call, such as `ENOENT`. */
export const codeOf = (failure: unknown): unknown =>
  failure instanceof Error && "code" in failure ? failure.code : undefined;

/** The result of a system call on the folder of objects; its failure as an error for clients. */
export async function onDisk<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (failure) {
    if (failure instanceof ServiceError) throw failure;
    const code = codeOf(failure);
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw diskFull("The disk of stored objects is full: an operator must free space or enlarge it.", failure);
    }
    throw storageUnavailable("The folder of stored objects cannot be used at the moment: try again.", failure);
  }
}
