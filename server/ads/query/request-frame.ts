import { isChatWord, isFunctionWord, isWishWord } from "../../guard/text/stop-words";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words that ask only behind one of these: "do you have", "would love", "could use", "thinking of". */
const ASKS_BEHIND: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["have", words("you to")],
  ["got", words("you have")],
  ["like", words("i would we")],
  ["love", words("i would we")],
  ["use", words("could")],
  ["after", words("i am be we")],
  ["about", words("how thinking what")],
  ["of", words("thinking thought")],
  ["me", words("show give get find bring send")],
  ["at", words("looking")],
]);
/** Words that judge or count goods without naming them: the "new" and "sturdy" of "a sturdy new backpack". */
const JUDGES =
  words(`good best great nice cheap cheapest decent better affordable new top rated quality reliable durable
  sturdy popular simple sensible perfect ideal favourite favorite selling different various other kind type sort pair of`);
/** Other words that may stand between a wish and what is wanted. */
const BETWEEN =
  words(`a an some any the another which what for at to out me us him her myself my our one two three few really
  just also maybe probably ideally perhaps brand own used suitable und oder ein eine einen der die das un une el la`);
/** Words whose "of" names no part or owner: the "kind of" of "some kind of backpack", unlike the one of "videos of cats". */
const MEASURES_OF = words(
  "kind kinds type types sort sorts pair pairs piece pieces set sets pack packs box boxes lot lots",
);
const INDEFINITE = words("a an another any some ein eine einen un une una");
/** Words that open another clause, as a comma does. */
const CLAUSE_OPENERS =
  words(`i we you they he she that which who whom because since so but while when if although though
  unless then and or where whether und oder aber weil wenn ich wir et ou mais qui que je nous y o pero porque yo`);
/** Words that open a question about facts, except "how much", "how many" and "how about". */
const FACT_QUESTIONS = words("how why when who whose");
const WISH_REACH = 6;

/** How the words around a chunk of a request present it; positions count all words of the request. */
export interface Frame {
  /** Whether the chunk is the object of a wish: "looking for a", "do you have any good". */
  isAsked: boolean;
  /** Whether an indefinite article or a judging word precedes it, as what is wanted mostly has: "a", "any good"; never in a question about facts. */
  isIndefinite: boolean;
  /** The first word of its clause. */
  from: number;
  /** The first word behind it that belongs to another clause or phrase: the "for" of "drill for my uncle". */
  to: number;
}

/** A request whose words were read. */
export interface FramedRequest {
  written: readonly string[];
  /** Positions of words that follow a mark such as a comma. */
  clauses: ReadonlySet<number>;
  language: string;
}

/** Reads the frame of the chunk that takes the words from `start` to `end`, both included. */
export function frameOf(start: number, end: number, request: FramedRequest): Frame {
  return {
    isAsked: isAsked(start, request),
    isIndefinite: isIndefinite(start, request),
    from: clauseStart(start, request),
    to: phraseEnd(end, request),
  };
}

function isAsked(start: number, { written, clauses }: FramedRequest): boolean {
  for (let at = start - 1; at >= 0 && at >= start - WISH_REACH && !clauses.has(at + 1); at--) {
    const word = written[at] ?? "";
    if (isWishWord(word) || ASKS_BEHIND.get(word)?.has(written[at - 1] ?? "")) return true;
    if (word === "got" && at === 0) return true;
    if (!JUDGES.has(word) && !BETWEEN.has(word)) return false;
  }
  return false;
}

function isIndefinite(start: number, { written, clauses }: FramedRequest): boolean {
  if (start === 0 || clauses.has(start) || asksForFacts(written)) return false;
  const before = written[start - 1] ?? "";
  if (before === "of") return MEASURES_OF.has(written[start - 2] ?? "");
  return INDEFINITE.has(before) || JUDGES.has(before);
}

const asksForFacts = ([first = "", second = ""]: readonly string[]): boolean =>
  FACT_QUESTIONS.has(first) && !/^(?:much|many|about)$/.test(second);

function clauseStart(start: number, { written, clauses }: FramedRequest): number {
  let at = start;
  while (at > 0 && !clauses.has(at) && !(at < start && CLAUSE_OPENERS.has(written[at] ?? ""))) at--;
  return at;
}

/** Words directly behind the chunk, and what "of" adds to it, say what it is: "cable of copper". */
function phraseEnd(end: number, { written, clauses, language }: FramedRequest): number {
  let at = end + 1;
  while (at < written.length && !clauses.has(at) && !opensPhrase(written[at] ?? "", language)) at++;
  return at;
}

const opensPhrase = (word: string, language: string): boolean =>
  word !== "of" && (isFunctionWord(word, language) || isChatWord(word));
