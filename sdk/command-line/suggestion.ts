/** The end of a message about an unknown word: `; did you mean "keys"?`, or a full stop. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? "." : `; did you mean "${near}"?`;
}

/** The known word closest to a mistyped one, if it is close enough. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const within = Math.max(1, Math.floor(word.length / 3));
  const [best] = known
    .map((one) => ({ one, away: one.startsWith(word) && word.length > 1 ? 0 : distance(word, one) }))
    .filter(({ away }) => away <= within)
    .sort((a, b) => a.away - b.away || lengthsApart(a.one, word) - lengthsApart(b.one, word));
  return best?.one;
}

const lengthsApart = (a: string, b: string): number => Math.abs(a.length - b.length);

/** Edit distance with transpositions (optimal string alignment). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const ways = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push((beforeLast[j - 2] ?? 0) + 1);
      row.push(Math.min(...ways));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
