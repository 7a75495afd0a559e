import { latin1 } from "./byte-classes";
import { searchNumbers } from "./number-rules";
import type { Confidence, FirstLine, Match, Window } from "./rule";
import { searchWords } from "./word-rules";

/** How far rules look before and behind the place where they are tried. */
const BEHIND_BYTES = 512;
const AHEAD_BYTES = 4096;
const FIRST_LINE_BYTES = 1024;

/** A match in a whole object. */
export interface FoundValue {
  rule: string;
  /** Bytes from the beginning of the content. */
  offset: number;
  value: string;
  confidence: Confidence;
}

/**
 * Searches a text that comes in chunks, in constant memory. What is found does not depend on how the text is divided:
 * each place is looked at once, with the bytes around it.
 */
export class ContentScanner {
  readonly #found: (value: FoundValue) => void;
  #kept: Buffer = Buffer.alloc(0);
  /** Where `#kept` begins in the content. */
  #keptAt = 0;
  /** Up to where words were searched, and numbers. */
  #wordsAt = 0;
  #numbersAt = 0;
  #state = 0;
  #firstLine: FirstLine | undefined;
  /** The end of the last match of each rule, so that two literals of one value count once. */
  readonly #ends = new Map<string, number>();

  constructor(found: (value: FoundValue) => void) {
    this.#found = found;
  }

  add(chunk: Uint8Array): void {
    this.#kept = Buffer.concat([this.#kept, chunk]);
    if (this.#kept.length > 2 * (BEHIND_BYTES + AHEAD_BYTES)) this.#search(this.#kept.length - AHEAD_BYTES);
  }

  /** Searches the rest. */
  end(): void {
    this.#search(this.#kept.length);
    this.#kept = Buffer.alloc(0);
  }

  #search(to: number): void {
    const bytes = this.#kept;
    this.#firstLine ??= firstLineOf(bytes);
    const window = { bytes, firstLine: this.#firstLine };
    const start = this.#keptAt;
    const found = (match: Match) => this.#report(window, match);
    this.#state = searchWords(window, { from: this.#wordsAt - start, to, state: this.#state }, found);
    this.#wordsAt = start + to;
    this.#numbersAt = start + searchNumbers(window, { from: this.#numbersAt - start, to }, found);
    const keptFrom = Math.max(0, to - BEHIND_BYTES);
    this.#kept = Buffer.from(bytes.subarray(keptFrom));
    this.#keptAt = start + keptFrom;
  }

  #report({ bytes }: Window, { rule, start, end, confidence }: Match): void {
    const offset = this.#keptAt + start;
    if (offset < (this.#ends.get(rule) ?? 0)) return;
    this.#ends.set(rule, this.#keptAt + end);
    this.#found({ rule, offset, confidence, value: bytes.toString("utf8", start, end) });
  }
}

function firstLineOf(bytes: Buffer): FirstLine {
  const line = latin1(bytes, 0, FIRST_LINE_BYTES);
  const end = line.search(/[\r\n]/);
  return { text: (end < 0 ? line : line.slice(0, end)).toLowerCase(), has: new Map() };
}
