/**
 * The text of a file or of standard input in UTF-8, without a byte order mark; `what` is the begin of a sentence. @throws
 * Error for other bytes: they would be sent as others, without a word.
 */
export function strictText(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${what} is not UTF-8 text.`);
  }
}
