/** The first sentences of a text, at most `count`. */
export function firstSentences(text: string, count: number): string {
  return text.split(BETWEEN).slice(0, count).join(" ");
}

const BETWEEN = /(?<=[.?!]) (?=[A-Z`"(])/;
