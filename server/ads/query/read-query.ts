import { isGeneralWord } from "../../guard/text/general-words";
import { languageStem } from "../../guard/text/language-stem";
import { isChatWord, isFunctionWord } from "../../guard/text/stop-words";
import { synonymsOf } from "../../guard/text/synonyms";
import { languageOf, stem, type Token, tokenize } from "../../guard/text/tokenizer";
import type { Postings } from "../matching/inverted-index";
import { partsOf } from "./split-word";
import type { Vocabulary } from "./vocabulary";

const WORDS_MAX = 64;
const PLAIN_WORD = /^\p{L}+$/u;
const NUMBER = /^\p{N}+$/u;
/** The weight of a list that replaces what was written. */
const CORRECTED_SHARE = 0.8;
/** The weight of a title word that names the same goods. */
export const SYNONYM_SHARE = 0.6;
const JOINED_TITLES_MIN = 2;
/** A text with more unknown words is about something else, so only the first ones are looked at closely. */
const REPAIRS_MAX = 4;
/** The space between a mark such as a comma and the clause behind it. */
const CLAUSE_END = /(?<=[.,;:!?…])\s+/;
const CURRENCIES = new Set("dollar dollars euro euros pound pounds usd eur gbp bucks".split(" "));

/** How a word of the query was found in the index. */
export type Found = "known" | "corrected" | "split" | "joined" | "synonym" | "unknown";

/** A list of postings in which a word is looked up, and the weight of a match in it, 0 to 1. */
export interface Source {
  list: Postings;
  share: number;
}

/** A word of the query that may name goods. */
export interface QueryTerm {
  /** As written and folded, or the title word that replaces it. */
  written: string;
  /** The form under which it is indexed. */
  form: string;
  /** Its position among all words of the query. */
  at: number;
  found: Found;
  /** A number, a fraction or a unit. */
  measure: boolean;
  /** The language of the request ("de"). */
  language: string;
  /** Lists of the word; the best match of a document counts. Empty for an unknown word. */
  sources: readonly Source[];
  /** The list of the form that it makes with the term before it ("air" "fryer": "airfryer"). */
  joined: Postings | undefined;
}

/** A query as it was understood. */
export interface ReadQuery {
  /** All words in order, in stemmed form; keywords are matched with them. */
  words: readonly string[];
  /** All words in order, as written and folded. */
  written: readonly string[];
  /** Positions of words that open a clause, behind a mark such as a comma. */
  clauses: ReadonlySet<number>;
  /** The words that may name goods, in order: all but function words, words of chat and price limits. */
  terms: readonly QueryTerm[];
}

/**
 * Reads a search query or a chat message with the words of the items that may be offered. A word that no title has is split into two
 * title words ("runningshoes"), replaced by a synonym or by the closest title word ("labtop"), in this order; two words
 * whose joined form is a title word also match it ("air fryer" and "airfryer").
 */
export function readQuery(text: string, locale: string, vocabulary: Vocabulary): ReadQuery {
  const { tokens, clauses } = readTokens(text);
  const reading: Reading = { language: languageOf(locale), vocabulary, repairs: REPAIRS_MAX };
  const terms: QueryTerm[] = [];
  for (const [at, token] of tokens.entries()) {
    if (isLeftOut(tokens, at, reading.language)) continue;
    for (const term of termsOf(token, at, reading)) {
      const before = terms.at(-1);
      terms.push(before && before.at === at - 1 ? joinedWith(before, term, vocabulary) : term);
    }
  }
  return {
    words: tokens.map(({ word }) => stem(word)),
    written: tokens.map(({ word }) => word),
    clauses,
    terms: joinBack(terms),
  };
}

function readTokens(text: string): { tokens: Token[]; clauses: ReadonlySet<number> } {
  const tokens: Token[] = [];
  const clauses = new Set<number>();
  for (const part of text.split(CLAUSE_END)) {
    if (tokens.length >= WORDS_MAX) break;
    if (tokens.length > 0 && part !== "") clauses.add(tokens.length);
    for (const token of tokenize(part)) tokens.push(token);
  }
  return { tokens: tokens.slice(0, WORDS_MAX), clauses };
}

function isLeftOut(tokens: readonly Token[], at: number, language: string): boolean {
  const token = tokens[at] as Token;
  if (isPriceLimit(tokens, at)) return true;
  if (token.measure) return false;
  return isFunctionWord(token.word, language) || (isChatWord(token.word) && !isPlace(tokens, at));
}

interface Reading {
  language: string;
  vocabulary: Vocabulary;
  /** How many more unknown words may be looked at closely. */
  repairs: number;
}

function termsOf(token: Token, at: number, reading: Reading): QueryTerm[] {
  const { vocabulary } = reading;
  const known = termOf(token.word, "known", { ...reading, at, measure: token.measure });
  if (token.measure || reading.repairs === 0 || known.sources.some(({ list }) => vocabulary.titlesIn(list, 1) > 0))
    return [known];
  reading.repairs--;
  const parts = partsOf(token.word, vocabulary);
  if (parts) return parts.map((part) => termOf(part, "split", { ...reading, at, measure: NUMBER.test(part) }));
  if (!PLAIN_WORD.test(token.word)) return [known];
  const synonyms = sourcesOf(synonymsOf(known.form), SYNONYM_SHARE, vocabulary);
  if (synonyms.some(({ list }) => vocabulary.occurs(list)))
    return [{ ...known, found: "synonym", sources: [...known.sources, ...synonyms] }];
  // A word of descriptions or of general text is not misspelled.
  if (known.found === "known" || isGeneralWord(token.word)) return [known];
  const near = vocabulary.index.titleWords.nearest(token.word, (word) => vocabulary.titlesOf(word));
  if (near === undefined) return [known];
  const corrected = termOf(near, "corrected", { ...reading, at, measure: false });
  return [{ ...corrected, sources: corrected.sources.map(({ list }) => ({ list, share: CORRECTED_SHARE })) }];
}

interface Place extends Reading {
  at: number;
  measure: boolean;
}

function termOf(word: string, found: Found, { at, measure, language, vocabulary }: Place): QueryTerm {
  const form = stem(word);
  const other = languageStem(word, language);
  const sources = sourcesOf(other === undefined || other === form ? [form] : [form, other], 1, vocabulary);
  return {
    written: word,
    form,
    at,
    found: sources.some(({ list }) => vocabulary.occurs(list)) ? found : "unknown",
    measure,
    language,
    sources,
    joined: undefined,
  };
}

const sourcesOf = (forms: readonly string[], share: number, { index }: Vocabulary): Source[] =>
  forms.flatMap((form) => {
    const list = index.postings(form);
    return list ? [{ list, share }] : [];
  });

function joinedWith(before: QueryTerm, term: QueryTerm, vocabulary: Vocabulary): QueryTerm {
  const joined = vocabulary.index.postings(stem(before.written + term.written));
  const titles = joined ? vocabulary.titlesIn(joined, JOINED_TITLES_MIN) : 0;
  return titles >= JOINED_TITLES_MIN ? { ...term, joined } : term;
}

/** Words that were not known by themselves are known by what they form together. */
const joinBack = (terms: readonly QueryTerm[]): QueryTerm[] =>
  terms.map((term, i) => {
    const isJoined = term.joined !== undefined || terms[i + 1]?.joined !== undefined;
    return isJoined && term.found === "unknown" ? { ...term, found: "joined" } : term;
  });

/** The shop of "watch repair shop" is the wanted thing; the shop of "shop laptops" is not. */
const isPlace = (tokens: readonly Token[], at: number): boolean =>
  at > 0 && at === tokens.length - 1 && /^(?:shop|store)$/.test(tokens[at]?.word ?? "");

/** The number of "under 800" or "less than 50 euros", and the currency next to it: a limit, not a search word. */
function isPriceLimit(tokens: readonly Token[], at: number): boolean {
  const { word = "", measure = false } = tokens[at] ?? {};
  const [two, one] = [tokens[at - 2]?.word ?? "", tokens[at - 1]?.word ?? ""];
  if (CURRENCIES.has(word)) return tokens[at - 1]?.measure === true;
  if (word === "lb" && isLimitedBy(tokens[at - 3]?.word ?? "", two)) return true;
  const next = tokens[at + 1];
  return measure && isLimitedBy(two, one) && (!next?.measure || next.word === "lb");
}

const isLimitedBy = (two: string, one: string): boolean =>
  /^(under|below|unter|max|maximum)$/.test(one) ||
  (/^(less|cheaper|moins|menos)$/.test(two) && /^(than|de)$/.test(one));
