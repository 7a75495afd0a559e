/** How much of the output is loaded each time. */
export const TAIL_BYTES = 64 * 1024;

export interface ShownTail {
  text: string;
  /** There is older output, or it was too much. */
  isCut: boolean;
}

const encoder = new TextEncoder();

/** Output without the line, probably a part of one, with which a tail begins that older output precedes. */
export function shownTail(text: string): ShownTail {
  if (encoder.encode(text).length < TAIL_BYTES) return { text, isCut: false };
  const firstEnd = text.indexOf("\n");
  return { text: firstEnd < 0 ? text : text.slice(firstEnd + 1), isCut: true };
}
