import { ServiceError } from "../../kernel/errors";
import { codeOf } from "../file-failures";

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

/** Reads content to its end, which checks it; `onChunk` delays the reading. */
export async function checkContent(
  content: AsyncIterable<Uint8Array>,
  onChunk?: (bytes: number) => Promise<void>,
): Promise<"ok" | "damaged" | "missing"> {
  try {
    for await (const chunk of content) await onChunk?.(chunk.length);
    return "ok";
  } catch (failure) {
    if (reasonOf(failure) === "blob_damaged") return "damaged";
    if (reasonOf(failure) === "blob_missing") return "missing";
    throw failure;
  }
}

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
