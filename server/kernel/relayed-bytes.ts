import { isUtf8 } from "node:buffer";
import { randomInt } from "node:crypto";

/** Characters of private use: one per value of a byte, and those of the mark. */
const [BYTES_FROM, MARK_FROM] = [0xe000, 0xe100];
const MARK_VALUES = 0x1700;
/** No text from outside has these one after another: chosen for this process, they are never sent. */
const MARK = String.fromCharCode(...Array.from({ length: 4 }, () => MARK_FROM + randomInt(MARK_VALUES)));
const MARKED_BYTE = new RegExp(`${MARK}([\\ue000-\\ue0ff])`, "g");
/** Each takes the place of ten. */
const MARKED_BYTES_MAX = 100_000;

/**
 * The text of bytes that are passed on. A byte that is not part of a character in UTF-8 becomes a mark from which
 * `relayedBytes` writes it as it was, also out of a text into which parts of this one were put. Throws RangeError for
 * more than 100,000 of them.
 */
export function textOfRelayed(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const parts: string[] = [];
  let [from, at, marked] = [0, 0, 0];
  while (at < bytes.length) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (++marked > MARKED_BYTES_MAX) throw new RangeError(`More than ${MARKED_BYTES_MAX} bytes are not UTF-8.`);
    parts.push(bytes.toString("utf8", from, at), MARK, String.fromCharCode(BYTES_FROM + (bytes[at] as number)));
    from = ++at;
  }
  parts.push(bytes.toString("utf8", from));
  return parts.join("");
}

/** Whether a text has marks of `textOfRelayed`. */
export const hasRelayedBytes = (text: string): boolean => text.includes(MARK);

/** The bytes of a text, with those that `textOfRelayed` has marked as they were. */
export function relayedBytes(text: string): Buffer<ArrayBuffer> {
  if (!hasRelayedBytes(text)) return Buffer.from(text);
  // Texts and marked bytes in turn.
  const parts = text.split(MARKED_BYTE);
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - BYTES_FROM))),
  );
}

/** The text for people and for what needs UTF-8: U+FFFD in place of each byte that is marked. */
export const readableText = (text: string): string =>
  hasRelayedBytes(text) ? text.replace(MARKED_BYTE, "\ufffd") : text;

/** The length of the character that begins here, in bytes; 0 if none does (RFC 3629, section 4). */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const [low, high] = SECOND[first] ?? [0x80, 0xbf];
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + length; next++) if ((bytes[next] ?? 0) >> 6 !== 0b10) return 0;
  return length;
}

/** The second byte behind these first ones: no overlong forms, no surrogates, nothing behind U+10FFFF. */
const SECOND: Readonly<Record<number, readonly [low: number, high: number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};
