import { ServiceError } from "../../../kernel/errors";
import { invalidKey } from "./object-errors";
import type { ObjectProperties } from "./objects";

/** S3's limits, in bytes of UTF-8. */
export const KEY_BYTES_MAX = 1024;
const METADATA_BYTES_MAX = 2048;
const PROPERTIES_BYTES_MAX = 8192;

/** Throws `invalid_request` (reasons `invalid_key`, `key_too_long`) for what cannot be a key. */
export function assertKey(key: string): void {
  if (key === "") throw invalidKey("key: must not be empty.");
  if (!isStorable(key)) throw invalidKey("key: must be valid Unicode without NUL characters.");
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return;
  throw new ServiceError("invalid_request", `key: must have at most ${KEY_BYTES_MAX} bytes in UTF-8.`, {
    param: "key",
    details: { reason: "key_too_long" },
  });
}

/** False for keys that no object can have: looking for one finds nothing. */
export const isKey = (key: string): boolean => key !== "" && isStorable(key) && Buffer.byteLength(key) <= KEY_BYTES_MAX;

/** Throws `invalid_request` (reasons `metadata_too_large`, `invalid_metadata`). */
export function assertProperties({ contentType, headers, userMetadata }: ObjectProperties): void {
  const [own, users] = [[contentType, ...Object.entries(headers).flat()], Object.entries(userMetadata).flat()];
  if (bytesOf(users) > METADATA_BYTES_MAX || bytesOf(own) > PROPERTIES_BYTES_MAX) {
    const message = `User metadata has at most ${METADATA_BYTES_MAX} bytes, headers have at most ${PROPERTIES_BYTES_MAX}.`;
    throw new ServiceError("invalid_request", message, { details: { reason: "metadata_too_large" } });
  }
  if ([...own, ...users].every(isStorable)) return;
  const message = "Metadata and headers must be valid Unicode without NUL characters.";
  throw new ServiceError("invalid_request", message, { details: { reason: "invalid_metadata" } });
}

/** Postgres stores neither NUL nor halves of surrogate pairs. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
