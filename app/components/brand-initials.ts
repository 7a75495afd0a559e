/** Hues whose tints are easy to tell apart; the colors of a mark are fixed lightnesses of its hue. */
export const MARK_HUES = [20, 60, 110, 155, 195, 240, 285, 335] as const;

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

/** The first characters of the first two words, in upper case: "Ridgeline & Pike" is "RP". Empty without letters and digits. */
export const initialsOf = (name: string): string =>
  [...name.normalize("NFC").matchAll(WORD)]
    .slice(0, 2)
    .map(([word]) => firstOf(firstOf(word).toUpperCase()))
    .join("");

/** Some letters have two characters in upper case, such as "ß". */
const firstOf = (text: string): string => [...text][0] ?? "";

/** One of `MARK_HUES`, always the same one for a name (FNV-1a). */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return MARK_HUES[hash % MARK_HUES.length] ?? MARK_HUES[0];
}
