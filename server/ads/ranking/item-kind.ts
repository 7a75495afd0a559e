import { isMakeBelieve, nounKind } from "./product-nouns";
import { isFunctionWord } from "./stop-words";
import { isSynonym } from "./synonyms";
import { isUnit, stem, type Token, tokenize } from "./tokenizer";

/** What ends the phrase that names an item; what follows only describes it or tells what it is for. */
const PHRASE_END =
  /[,;:([|–—]|\s[-+]\s|\s(?:for|f\/|with|w\/|without|compatible|replaces|fits|incl|including|inkl|für|mit|pour|avec|para|con)(?=\s)/giu;
const PLAIN_WORD = /^\p{L}{3,}$/u;
const QUANTITY = /^\d[\d.,]*([a-z]*)$/;

export interface NamedItem {
  title: string;
  brand: string;
  /** The product type or category that the shop states. */
  category: string;
  /** Asked only where title and category do not tell. */
  description: string;
}

/** Nouns that say what an item is, and whether they are known to be nouns of goods or only guessed. */
export interface Kind {
  words: readonly string[];
  isKnown: boolean;
}

/**
 * The nouns that say what an item is, not what it is for or goes with: "pad" of "Gel Mouse Pad Blue", "notebook pc" of
 * "HP 530 Notebook PC for students". A stated category that names another thing wins over the title; a
 * doll's bag is a doll. Where no known noun tells, the last word of the name is the best guess.
 */
export function kindWords({ title, brand, category, description }: NamedItem): Kind {
  const phrase = namingPhrase(title, brand);
  const pretended = phrase.find(({ word }) => isMakeBelieve(word));
  if (pretended) return { words: [pretended.word], isKnown: true };
  const fromTitle = kindOfTitle(phrase);
  const stated = tokenize(category).flatMap((token) => (nounOf(token) ? [token.word] : []));
  const agrees = fromTitle.some((word) => stated.some((noun) => isSameKind(word, noun)));
  const words = stated.length === 0 || agrees ? fromTitle : stated;
  if (words.length > 0) return { words, isKnown: true };
  const described = kindOfTitle(namingPhrase(description, brand));
  if (described.length > 0) return { words: described, isKnown: true };
  return { words: guessedNoun(phrase), isKnown: false };
}

/** The last word before the first function word: "insurance" of "Travel insurance in minutes". */
function guessedNoun(phrase: readonly Token[]): string[] {
  const first = phrase.findIndex(({ word }) => PLAIN_WORD.test(word) && !isFunctionWord(word, "en"));
  const end = phrase.findIndex(({ word }, i) => i > first && isFunctionWord(word, "en"));
  const last = phrase.slice(0, end < 0 ? phrase.length : end).findLast(({ word }) => PLAIN_WORD.test(word));
  return last ? [last.word] : [];
}

/** The last noun of a phrase; beside a main product's noun those that directly precede it. */
function kindOfTitle(tokens: readonly Token[]): string[] {
  const at = tokens.findLastIndex((token) => nounOf(token) !== undefined);
  if (at < 0) return [];
  let first = at;
  if (nounOf(tokens[at]) === "main") {
    while (nounOf(tokens[first - 1]) === "main" || (tokens[first - 1]?.word === "and" && nounOf(tokens[first - 2])))
      first--;
  }
  return tokens.slice(first, at + 1).map(({ word }) => word);
}

/** An accessory's noun behind a hyphen belongs to a word of its own: "head-band" is no band. */
function nounOf(token: Token | undefined): "accessory" | "main" | undefined {
  const kind = token && nounKind(token.word);
  return kind === "accessory" && token?.joined ? undefined : kind;
}

/** The words of a title up to where its description begins, without the brand in front. */
function namingPhrase(title: string, brand: string): Token[] {
  const brandWords = tokenize(brand);
  let tokens: Token[] = [];
  let from = 0;
  for (const end of [...title.matchAll(PHRASE_END), { index: title.length, 0: "" }]) {
    tokens = tokens.concat(tokenize(title.slice(from, end.index)));
    if (from === 0 && brandWords.every(({ word }, i) => tokens[i]?.word === word)) tokens.splice(0, brandWords.length);
    if (tokens.some(({ word }) => PLAIN_WORD.test(word))) break;
    from = end.index + end[0].length;
  }
  return tokens.slice(0, secondQuantity(tokens));
}

/** Where the second measure stands: by then a title lists components ("16 GB, 512 GB SSD"), not the item. */
function secondQuantity(tokens: readonly Token[]): number {
  let quantities = 0;
  let hasPlainWord = false;
  for (const [i, { word }] of tokens.entries()) {
    const unit = QUANTITY.exec(word)?.[1];
    if (unit !== undefined && isUnit(unit || (tokens[i + 1]?.word ?? ""))) quantities++;
    else if (PLAIN_WORD.test(word)) hasPlainWord = true;
    if (quantities === 2 && hasPlainWord) return i;
  }
  return tokens.length;
}

const isSameKind = (a: string, b: string): boolean => {
  const [one, other] = [stem(a), stem(b)];
  return one === other || isSynonym(one, other) || isSynonym(other, one);
};
