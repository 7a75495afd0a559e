import { latin1 } from "./byte-classes";
import type { Window } from "./rule";

const CONTEXT_BYTES = 100;

/** The bytes of words as Latin-1 text, so that they can be looked up in it; `more` are bytes in another encoding. */
export const contextWords = (words: readonly string[], more: readonly string[] = []): readonly string[] => [
  ...words.map((word) => Buffer.from(word, "utf8").toString("latin1").toLowerCase()),
  ...more.map((hex) => Buffer.from(hex, "hex").toString("latin1").toLowerCase()),
];

/** Whether one of the words is shortly before a position, or in the first line of the object. */
export function hasContext({ bytes, firstLine }: Window, at: number, words: readonly string[]): boolean {
  const isNamed = firstLine.has.get(words) ?? words.some((word) => firstLine.text.includes(word));
  firstLine.has.set(words, isNamed);
  if (isNamed) return true;
  const before = latin1(bytes, Math.max(0, at - CONTEXT_BYTES), at).toLowerCase();
  return words.some((word) => before.includes(word));
}
