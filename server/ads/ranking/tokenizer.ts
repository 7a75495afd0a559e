import { stemmer } from "stemmer";

const ENGLISH_ENDING = /(?<=\p{L})'(?:s|t|d|m|ll|re|ve)(?![\p{L}\p{N}])/gu;
const TOKEN = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LATIN_WORD = /^[a-z]{3,}$/;
const NUMBER = /^\p{N}+(?:[.,]\p{N}+)*$/u;
const UNITS = new Set(
  "mb gb tb mm cm m in inch inches ft mah wh w kw v a hz khz mhz ghz mp ml l kg g oz lb mbps gbps".split(" "),
);
const TOKEN_CHARACTERS_MAX = 40;
const STEMS_KEPT_MAX = 50_000;

/** A word of a text: folded, and whether it touches the word before it (`dv7-1211`, `500GB`). */
export interface Token {
  word: string;
  /** Written together with the token before: at most one of - / . ' & + between them. */
  joined: boolean;
}

/**
 * The words of a text in order: NFKC, lower case, accents and marks folded, numbers and model numbers kept; text that is
 * written without spaces gives pairs of characters. Linear in the length of the text.
 */
export function tokenize(text: string): Token[] {
  const folded = fold(text);
  const tokens: Token[] = [];
  let endBefore = -1;
  for (const match of folded.matchAll(TOKEN)) {
    const gap = match.index - endBefore;
    const joined = endBefore >= 0 && gap === 1 && "-/.'&+".includes(folded.charAt(endBefore));
    endBefore = match.index + match[0].length;
    if (WITHOUT_SPACES.test(match[0])) pushPairs(tokens, match[0]);
    else tokens.push({ word: match[0].slice(0, TOKEN_CHARACTERS_MAX), joined });
  }
  return tokens;
}

/** NFKC and lower case without accents, so that "Café" is "cafe" and "Straße" is "strasse". */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(MARKS, "")
    .replaceAll("ß", "ss")
    .replaceAll("’", "'")
    .replace(ENGLISH_ENDING, "");

/**
 * The form under which words are indexed and looked up: the Porter (1980) stem of a plain Latin word, anything else as it
 * is. Both sides use it whatever their language, because publishers often leave the locale at its default.
 */
export const stem = (word: string): string => (LATIN_WORD.test(word) ? stemmer(word) : word);

/** `stem` that remembers: indexing sees the same words again and again. */
export function rememberingStem(): (word: string) => string {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    if (stems.size >= STEMS_KEPT_MAX) stems.clear();
    const made = stem(word);
    stems.set(word, made);
    return made;
  };
}

/** "500" then "gb", or the two halves of "wi-fi": the word that they are when written as one, else undefined. */
export function compoundOf(before: Token | undefined, token: Token): string | undefined {
  if (!before) return undefined;
  const isQuantity = NUMBER.test(before.word) && UNITS.has(token.word);
  return token.joined || isQuantity ? before.word + token.word : undefined;
}

/** "1211" of "1211ea", "m510" of "m510dn": what people remember of a model number, its variant's letters left out. */
export function modelNumberOf(word: string): string | undefined {
  const [, number, variant = ""] = /^(\p{L}{0,4}\d{3,})([a-z]{1,3})$/u.exec(word) ?? [];
  return isUnit(variant) ? undefined : number;
}

/** Whether a word is a unit of measure. */
export const isUnit = (word: string): boolean => UNITS.has(word);

/** The language of a locale such as "de-AT"; English for anything that is none. */
export const languageOf = (locale: string): string => /^[a-z]{2,3}(?=$|[-_])/i.exec(locale)?.[0].toLowerCase() ?? "en";

function pushPairs(tokens: Token[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) tokens.push({ word: run, joined: false });
  for (let i = 0; i + 1 < characters.length; i++) {
    tokens.push({ word: `${characters[i]}${characters[i + 1]}`, joined: false });
  }
}
