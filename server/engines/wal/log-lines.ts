import { crc32 } from "node:zlib";

const NEWLINE = 10;
const SPACE = 32;
/** Eight hexadecimal digits, a space, and the newline. */
const FRAME_BYTES = 10;
const CHECKSUM_DIGITS = 8;

/** A range of bytes in a log. */
export interface Place {
  segment: number;
  offset: number;
}

/**
 * Bytes that are not a line: disk corruption, or (`torn`) the rest of a write that was interrupted when the process
 * ended. With `checkpoint` no line is damaged: the checkpoint of a folder with segments is missing, and its journals
 * replace it.
 */
export interface Damage extends Place {
  bytes: number;
  reason: "checksum" | "torn" | "missing" | "checkpoint";
}

/** A line and the bytes that it takes in a segment. */
export interface FramedLine {
  text: string;
  bytes: number;
}

export const frame = (text: string): FramedLine => ({ text, bytes: Buffer.byteLength(text) + FRAME_BYTES });

/**
 * Lines as stored in a segment from `at`: `<crc32 of the line, 8 hex digits> <line>\n`. The checksum is seeded with the
 * line's position, so that intact bytes at a wrong place (a misdirected or a stale block) are detected too.
 */
export function encodeLines(lines: FramedLine[], at: Place): Buffer {
  let offset = at.offset;
  let content = "";
  for (const { text, bytes } of lines) {
    content += `${hex(crc32(text, seed(at.segment, offset)))} ${text}\n`;
    offset += bytes;
  }
  return Buffer.from(content);
}

/** The intact lines among framed lines that begin at `at`, and the damaged parts between them. */
export function decodeLines(bytes: Buffer, at: Place): { lines: string[]; damage: Damage[] } {
  const lines: string[] = [];
  const damage: Damage[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const offset = at.offset + start;
    if (isIntact(bytes, { start, end }, seed(at.segment, offset))) {
      lines.push(bytes.toString("utf8", start + CHECKSUM_DIGITS + 1, end));
    } else {
      damage.push({ segment: at.segment, offset, bytes: end + 1 - start, reason: "checksum" });
    }
    start = end + 1;
  }
  return { lines, damage };
}

function isIntact(bytes: Buffer, { start, end }: { start: number; end: number }, from: number): boolean {
  const text = start + CHECKSUM_DIGITS + 1;
  if (end < text || bytes[text - 1] !== SPACE) return false;
  const checksum = hex(crc32(bytes.subarray(text, end), from));
  return bytes.toString("latin1", start, start + CHECKSUM_DIGITS) === checksum;
}

/** Spread over 32 bits by Knuth's multiplicative constant, so that neighbouring segments do not share seeds. */
const seed = (segment: number, offset: number): number => (Math.imul(segment, 0x9e3779b1) + offset) >>> 0;

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const hex = (n: number): string =>
  `${HEX_BYTES[n >>> 24]}${HEX_BYTES[(n >>> 16) & 255]}${HEX_BYTES[(n >>> 8) & 255]}${HEX_BYTES[n & 255]}`;
