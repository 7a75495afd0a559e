import { isFunctionWord } from "./stop-words";
import { type Token, tokenize } from "./tokenizer";

/** Punctuation behind which a title describes the item instead of naming it. */
const NAME_END = /[,;:([|–—]|\s[-+]\s/;
/** Words that begin a description, in English and by language: in an English title "fur" is a material. */
const OPENS_DESCRIPTION = new Set("for with in of without compatible fits incl including w".split(" "));
const OPENS_DESCRIPTION_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set("fur mit aus ohne".split(" ")),
  fr: new Set("pour avec sans en".split(" ")),
  es: new Set("para con sin".split(" ")),
};
const PLAIN_WORD = /^\p{L}{3,}$/u;
const PLAIN_WORDS_BEFORE_END = 2;
/** Languages that put the noun before its modifiers. */
const HEAD_FIRST = new Set(["fr", "es", "it", "pt"]);

/** The nouns that may say what an item is, as written and folded. */
export interface Heads {
  /** The word that most likely names the item; empty without one. */
  main: string;
  /** All candidates, the main one included. */
  all: readonly string[];
}

/**
 * The head nouns of an item's name without any lexicon: the last plain word before the title turns into a description
 * ("Cordless Drill" of "Cordless Drill with 2 Batteries"), the last one before the first measure, and the last word of
 * the category that the shop states. `language` is that of the campaign if known.
 */
export function headNouns(title: string, category: string, language = "en"): Heads {
  const tokens = nameOf(title, language);
  const main = headOf(tokens, language);
  const firstPlain = tokens.findIndex(isPlain);
  const measure = firstPlain < 0 ? -1 : tokens.findIndex((token, i) => i > firstPlain && token.measure);
  const beforeMeasure = measure < 0 ? "" : headOf(tokens.slice(0, measure), language);
  const stated = headOf(tokenize(category.split(">").at(-1) ?? ""), language);
  return { main, all: [...new Set([main, beforeMeasure, stated].filter(Boolean))] };
}

/** The words of a title up to where its description begins. */
function nameOf(title: string, language: string): Token[] {
  const tokens: Token[] = [];
  for (const part of title.split(NAME_END)) {
    const added = tokenize(part);
    for (const token of added) tokens.push(token);
    if (added.some(isPlain)) break;
  }
  let plain = 0;
  for (const [i, token] of tokens.entries()) {
    if (plain >= PLAIN_WORDS_BEFORE_END && opensDescription(token, language)) return tokens.slice(0, i);
    if (isPlain(token)) plain++;
  }
  return tokens;
}

const opensDescription = ({ word, measure }: Token, language: string): boolean =>
  !measure && (OPENS_DESCRIPTION.has(word) || OPENS_DESCRIPTION_IN[language]?.has(word) === true);

function headOf(tokens: readonly Token[], language: string): string {
  const named = HEAD_FIRST.has(language) ? tokens.find(isPlain) : tokens.findLast(isPlain);
  return named?.word ?? "";
}

const isPlain = ({ word, measure }: Token): boolean => !measure && PLAIN_WORD.test(word) && !isFunctionWord(word, "en");
