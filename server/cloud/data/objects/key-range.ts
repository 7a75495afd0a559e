import { KEY_BYTES_MAX } from "./object-key";
import type { ListOptions } from "./objects";

const LAST_CHARACTER = "\u{10ffff}";

/** Greater than every text that begins with what it is appended to and is a key. */
export const BEHIND = LAST_CHARACTER.repeat(KEY_BYTES_MAX / 4 + 1);

/** Where the keys of a listing are, in the order of their UTF-8 bytes. */
export interface KeyRange {
  /** The least key with the prefix. */
  lower: string;
  /** Greater than every key with the prefix. */
  upper: string;
  /** Keys begin after this one; undefined: at the beginning. */
  after: string | undefined;
  delimiter: string | undefined;
}

/** Undefined if there can be no key. */
export function keyRange({ prefix = "", delimiter, after }: ListOptions): KeyRange | undefined {
  if (prefix.includes("\0") || !prefix.isWellFormed()) return undefined;
  if (Buffer.byteLength(prefix) > KEY_BYTES_MAX) return undefined;
  const range = {
    lower: prefix,
    upper: prefix + BEHIND,
    delimiter: delimiter && !delimiter.includes("\0") && delimiter.isWellFormed() ? delimiter : undefined,
  };
  if (after === undefined || after === "") return { ...range, after: undefined };
  // No key contains a NUL, and it sorts before every other character.
  const [start = ""] = after.split("\0");
  return { ...range, after: afterCommonPrefix(start.toWellFormed(), prefix, range.delimiter) };
}

/** A listing that continues within a common prefix continues behind it. */
function afterCommonPrefix(after: string, prefix: string, delimiter: string | undefined): string {
  const common = commonPrefixOf(after, prefix, delimiter);
  return common === undefined ? after : common + BEHIND;
}

/** What of a key is listed instead of it: all up to and with the first delimiter after the prefix. */
export function commonPrefixOf(key: string, prefix: string, delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || !key.startsWith(prefix)) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}
