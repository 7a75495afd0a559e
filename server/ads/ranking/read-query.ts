import { languageStem } from "./language-stem";
import { type Intent, intentOf } from "./read-intent";
import { isChatWord, isFunctionWord, isVagueWord } from "./stop-words";
import { type Alternative, alternativesOf, phrasesUpTo } from "./synonyms";
import { compoundOf, languageOf, stem, type Token, tokenize } from "./tokenizer";

const WORDS_MAX = 64;
const MODIFIER_WEIGHT = 0.3;
const YEAR_WEIGHT = 0.1;
const VAGUE_WEIGHT = 0.05;
const BESIDE_HEAD_WEIGHT = 0.65;
/** Languages that put the noun before what narrows it. */
const HEAD_FIRST = new Set(["fr", "es", "it", "pt"]);

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words after which a person describes the wish more closely: "a laptop for college", "shoes that are waterproof". */
const OPENS_MODIFIER = setOf(
  "for with without that which who under below because since so when while near fur mit pour avec para con",
);
/** Words after which the wish itself is named: what came before was only the occasion. */
const OPENS_WISH = setOf(
  "want need buy purchase get getting shopping looking searching choose pick upgrade replace compare recommend suggest best cheap suche brauche kaufen cherche acheter veux busco necesito comprar quiero",
);
/** Verbs whose wish follows a "for". */
const SEEKS = setOf("looking look searching search shopping shop hunting");
const TAKES_INFINITIVE = setOf(
  "want need like love how going have trying try able learn way time ready hope plan used",
);
const CURRENCIES = setOf("dollar dollars euro euros usd eur gbp bucks");
const YEAR = /^20[2-9]\d$/;

/** One word of the query that carries meaning. */
export interface QueryTerm {
  /** Its form in the index. */
  word: string;
  /** 1 for what is asked for, less for what only describes it. */
  readonly weight: number;
  /** As it was written, folded. */
  written?: string | undefined;
  /** It names the thing itself; the others narrow it down. */
  isHead?: boolean | undefined;
  /** Other words for it. */
  alternatives?: readonly Alternative[] | undefined;
  /** What it makes together with the terms before it: "head set", "solid state drive". */
  spans?: readonly Span[] | undefined;
}

/** One word of the index for several terms of the query. */
export interface Span extends Alternative {
  /** How many terms it stands for; the one that it belongs to is the last of them. */
  terms: number;
}

export interface ReadQuery {
  /** Every word in order, in stemmed form: what keywords are matched with. */
  words: readonly string[];
  terms: readonly QueryTerm[];
  intent: Intent;
}

/** Takes a search or a sentence of a chat apart. */
export function readQuery(text: string, locale: string): ReadQuery {
  const language = languageOf(locale);
  const tokens = tokenize(text).slice(0, WORDS_MAX);
  const words = tokens.map(({ word }) => stem(word));
  const intent = intentOf(tokens);
  return { words, terms: readTerms(tokens, { forms: words, language, intent }), intent };
}

type Draft = { -readonly [K in keyof QueryTerm]: QueryTerm[K] };

interface Asking {
  /** The tokens' stems. */
  forms: readonly string[];
  language: string;
  intent: Intent;
}

function readTerms(tokens: readonly Token[], { forms, language, intent }: Asking): QueryTerm[] {
  const terms: Draft[] = [];
  const isSentence = tokens.some(({ word }) => isFunctionWord(word, language) || isChatWord(word));
  let weight = 1;
  let before: { token: Token; term: Draft } | undefined;
  for (const [i, token] of tokens.entries()) {
    if (isPriceLimit(tokens, i)) continue;
    if (terms.length > 0 && OPENS_MODIFIER.has(token.word)) weight = MODIFIER_WEIGHT;
    if (opensWish(tokens, i)) {
      weight = 1;
      for (const term of terms) Object.assign(term, { weight: MODIFIER_WEIGHT, isHead: false });
    }
    if (isFunctionWord(token.word, language) || (isChatWord(token.word) && !isPlace(tokens, i))) {
      before = undefined;
      continue;
    }
    const again = terms.find(({ word }) => word === forms[i]);
    if (again) {
      before = { token, term: again };
      continue;
    }
    const compound = before && stem(compoundOf(before.token, token) ?? before.token.word + token.word);
    const [word, isHead] = [forms[i] as string, weight === 1];
    const names = otherNames(forms, i, compound);
    const term: Draft = {
      word,
      weight,
      isHead,
      written: token.word,
      ...names,
      ...inLanguage(token.word, names, language),
    };
    if (YEAR.test(word)) Object.assign(term, { weight: YEAR_WEIGHT, isHead: false });
    else if (isActivity(tokens, i)) Object.assign(term, { weight: MODIFIER_WEIGHT, isHead: false });
    else if (isSentence && isVagueWord(token.word))
      Object.assign(term, { weight: intent === "buy" ? VAGUE_WEIGHT : weight, isHead: false });
    else if (before) {
      const lighter = lightest(before.term, term, language);
      lighter.weight *= BESIDE_HEAD_WEIGHT;
      lighter.isHead = false;
    }
    terms.push(term);
    before = { token, term };
  }
  return terms;
}

/** "looking for a laptop", "buy a laptop", but neither "a laptop to buy" nor "which one should I get for my mother". */
function opensWish(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.word ?? "";
  if (word === "for") return SEEKS.has(tokens[at - 1]?.word ?? "");
  if (!OPENS_WISH.has(word)) return false;
  const next = tokens[at + 1]?.word;
  return next !== undefined && !OPENS_MODIFIER.has(next);
}

/** The word's stem in the query's language beside its other names: what it finds is the word itself. */
function inLanguage(
  written: string,
  { alternatives = [] }: Pick<QueryTerm, "alternatives">,
  language: string,
): Pick<QueryTerm, "alternatives"> {
  const form = languageStem(written, language);
  if (form === undefined || form === stem(written)) return { alternatives };
  return { alternatives: [{ word: form, share: 1, coverShare: 1 }, ...alternatives] };
}

/** The verb of "want to sleep", "how to bake a cake": what is done, not what is done it with. */
const isActivity = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.word === "to" && TAKES_INFINITIVE.has(tokens[at - 2]?.word ?? "");

/** The shop of "watch repair shop" is what is looked for; the one of "shop laptops" is not. */
const isPlace = (tokens: readonly Token[], at: number): boolean =>
  at > 0 && at === tokens.length - 1 && /^(?:shop|store)$/.test(tokens[at]?.word ?? "");

/** Other names of the word at `at`, and what it makes with those before it: two words written as one, a known phrase. */
function otherNames(
  forms: readonly string[],
  at: number,
  compound: string | undefined,
): Pick<QueryTerm, "alternatives" | "spans"> {
  const named = phrasesUpTo(forms, at).map(({ words, form }) => ({ form, terms: words.length }));
  if (compound) named.unshift({ form: compound, terms: 2 });
  const spans = named.flatMap(({ form, terms }) =>
    [{ word: form, share: 1, coverShare: 1 }, ...alternativesOf(form)].map((name) => ({ ...name, terms })),
  );
  return { alternatives: alternativesOf(forms[at] ?? ""), spans };
}

/** Of two words in a row the one that only narrows the other: "wireless headphones", "zapatos rojos", "playstation 4". */
const lightest = (first: Draft, second: Draft, language: string): Draft =>
  HEAD_FIRST.has(language) || /^\d+$/.test(second.word) ? second : first;

/** The number of "under 800" or "less than 50 euros", and the currency beside it: a limit, not a word to look for. */
function isPriceLimit(tokens: readonly Token[], i: number): boolean {
  const word = tokens[i]?.word ?? "";
  if (CURRENCIES.has(word)) return true;
  if (!/^\d[\d.,]*$/.test(word)) return false;
  const [two, one] = [tokens[i - 2]?.word ?? "", tokens[i - 1]?.word ?? ""];
  return (
    /^(under|below|unter|max|maximum)$/.test(one) ||
    (/^(less|cheaper|moins|menos)$/.test(two) && /^(than|de)$/.test(one))
  );
}
