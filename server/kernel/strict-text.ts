import { isUtf8 } from "node:buffer";
import { ServiceError } from "./errors";

const REPLACEMENT = "\ufffd";
const REPLACEMENT_BYTES = Buffer.byteLength(REPLACEMENT);
const BYTE_ORDER_MARK = "\ufeff";

/**
 * The text of bytes from outside, without a byte order mark at its begin. Throws `invalid_request` with the offset of
 * the first byte that is not UTF-8: a replaced byte would ruin a secret or a name, and its sender would not know.
 * `what` is the begin of the sentence, such as "The body"; `param` is the field, if it is one.
 */
export function strictText(bytes: Uint8Array, what = "The body", param?: string): string {
  if (!isUtf8(bytes)) throw notUtf8(bytes, what, param);
  const text = bufferOf(bytes).toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** The error of `strictText`. */
export function notUtf8(bytes: Uint8Array, what: string, param?: string): ServiceError {
  const offset = utf8Fault(bytes) ?? bytes.byteLength;
  return new ServiceError(
    "invalid_request",
    `${what} is not UTF-8 text: the byte at offset ${offset} is not part of a character. Send it in UTF-8.`,
    { ...(param !== undefined && { param }), details: { reason: "not_utf8", offset } },
  );
}

/** The offset of the first byte that is not part of a character in UTF-8; undefined if there is none. */
export function utf8Fault(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const buffer = bufferOf(bytes);
  const text = buffer.toString("utf8");
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, from)) {
    // Everything before was decoded without a loss, so that it has the same bytes again.
    offset += Buffer.byteLength(text.slice(from, at));
    if (buffer.toString("latin1", offset, offset + REPLACEMENT_BYTES) !== REPLACEMENT_IN_LATIN1) return offset;
    offset += REPLACEMENT_BYTES;
    from = at + 1;
  }
  return undefined;
}

const REPLACEMENT_IN_LATIN1 = Buffer.from(REPLACEMENT).toString("latin1");

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
