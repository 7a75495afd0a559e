/**
 * Whether a text is what a pattern says, in which `*` is any characters. The time is linear in both lengths, so that
 * no pattern can keep the process busy.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    at = indexAfter(text, piece, { from: at, to: end });
    if (at < 0) return false;
  }
  return true;
}

/** The index after the first occurrence of a piece in a part of a text, -1 without one; by Knuth, Morris and Pratt. */
function indexAfter(text: string, piece: string, { from, to }: { from: number; to: number }): number {
  const borders = bordersOf(piece);
  let matched = 0;
  if (piece === "") return from;
  for (let at = from; at < to; at++) {
    while (matched > 0 && text[at] !== piece[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === piece[matched]) matched++;
    if (matched === piece.length) return at + 1;
  }
  return -1;
}

/** For each beginning of a piece, the length of its longest proper beginning that is its end too. */
function bordersOf(piece: string): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < piece.length; at++) {
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0;
    if (piece[at] === piece[length]) length++;
    borders.push(length);
  }
  return borders;
}
