/** Byte classes, as tables that are faster than comparisons. */
const tableOf = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));

export const IS_DIGIT = tableOf(/[0-9]/);
export const IS_WORD = tableOf(/[0-9A-Za-z_]/);
export const IS_UPPER_OR_DIGIT = tableOf(/[0-9A-Z]/);
/** The characters of the local part of an email address that are in use. */
export const IS_LOCAL_PART = tableOf(/[0-9A-Za-z._%+-]/);
/** What user and password of a URL have. */
export const IS_USER_INFO = tableOf(/[^\s/@"'<>\\?#`\0]/);
export const IS_HOST = tableOf(/[0-9A-Za-z.-]/);
/** What may follow the name of a setting. */
export const IS_NAME_TAIL = tableOf(/[0-9A-Za-z_-]/);
export const IS_BLANK = tableOf(/[ \t]/);
/** What ends a value without quotes. */
export const ENDS_VALUE = tableOf(/[\s"'`,;<>(){}[\]&|\\\0]/);

/** Whether a byte is in a class; false outside of the window. */
export const isIn = (table: Uint8Array, bytes: Uint8Array, at: number): boolean => table[bytes[at] ?? 0] === 1;

const ESCAPES = new Set([0x6e, 0x72, 0x74]);
const BACKSLASH = 0x5c;

/** Whether a word may begin at `at`: behind something else than a letter, a digit or `_`, or behind an escaped line end. */
export function beginsWord(bytes: Uint8Array, at: number): boolean {
  if (!isIn(IS_WORD, bytes, at - 1)) return true;
  return ESCAPES.has(bytes[at - 1] ?? 0) && bytes[at - 2] === BACKSLASH;
}

/** The bytes from `from` to before `to` as text, as far as there are any. */
export const latin1 = (bytes: Buffer, from: number, to: number): string => bytes.toString("latin1", from, to);
