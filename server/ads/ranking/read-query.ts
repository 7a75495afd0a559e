import { isChatWord, isFunctionWord } from "./stop-words";
import { type Alternative, alternativesOf, phrasesUpTo } from "./synonyms";
import { compoundOf, languageOf, stem, type Token, tokenize } from "./tokenizer";

const WORDS_MAX = 64;
const MODIFIER_WEIGHT = 0.3;
const YEAR_WEIGHT = 0.1;
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
  "want need buy purchase looking recommend suggest best cheap suche brauche kaufen cherche acheter veux busco necesito comprar quiero",
);
const BUYS = setOf(`buy buying purchase order shop shopping need needs want which looking recommend recommendation
  recommendations suggest suggestions best good better top should cheap cheapest affordable price prices deal deals sale gift under below kaufen
  suche brauche gunstig cherche acheter busco comprar necesito`);
const ASKS = setOf(`who why when how what where whose is are was were does did can could will explain
  translate write tell define calculate solve summarize`);
const YEAR = /^20[2-9]\d$/;

/** What the asking words say: a wish to buy, a question about the world, or nothing either way. */
export type Intent = "buy" | "ask" | "plain";

/** One word of the query that carries meaning. */
export interface QueryTerm {
  /** Its form in the index. */
  word: string;
  /** 1 for what is asked for, less for what only describes it. */
  readonly weight: number;
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
  return {
    words: tokens.map(({ word }) => stem(word)),
    terms: readTerms(tokens, language),
    intent: intentOf(tokens),
  };
}

type Draft = { -readonly [K in keyof QueryTerm]: QueryTerm[K] };

function readTerms(tokens: readonly Token[], language: string): QueryTerm[] {
  const forms = tokens.map(({ word }) => stem(word));
  const terms: Draft[] = [];
  let weight = 1;
  let before: { token: Token; term: Draft } | undefined;
  for (const [i, token] of tokens.entries()) {
    if (isPriceLimit(tokens, i)) continue;
    if (terms.length > 0 && OPENS_MODIFIER.has(token.word)) weight = MODIFIER_WEIGHT;
    if (OPENS_WISH.has(token.word)) {
      weight = 1;
      for (const term of terms) Object.assign(term, { weight: MODIFIER_WEIGHT, isHead: false });
    }
    if (isFunctionWord(token.word, language) || isChatWord(token.word)) {
      before = undefined;
      continue;
    }
    const compound = before && stem(compoundOf(before.token, token) ?? before.token.word + token.word);
    const [word, isHead] = [forms[i] as string, weight === 1];
    const term: Draft = { word, weight, isHead, ...otherNames(forms, i, compound) };
    if (YEAR.test(word)) Object.assign(term, { weight: YEAR_WEIGHT, isHead: false });
    else if (before) {
      const lighter = lightest(before.term, term, language);
      lighter.weight *= BESIDE_HEAD_WEIGHT;
      lighter.isHead = false;
    }
    if (!terms.some(({ word }) => word === term.word)) terms.push(term);
    before = { token, term };
  }
  return terms;
}

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
  if (/^(dollars?|euros?|usd|eur|gbp|bucks)$/.test(word)) return true;
  if (!/^[\d.,]+$/.test(word)) return false;
  const [two, one] = [tokens[i - 2]?.word ?? "", tokens[i - 1]?.word ?? ""];
  return (
    /^(under|below|unter|max|maximum)$/.test(one) ||
    (/^(less|cheaper|moins|menos)$/.test(two) && /^(than|de)$/.test(one))
  );
}

function intentOf(tokens: readonly Token[]): Intent {
  if (tokens.some(({ word }) => BUYS.has(word))) return "buy";
  return ASKS.has(tokens[0]?.word ?? "") ? "ask" : "plain";
}
