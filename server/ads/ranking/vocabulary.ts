import { grown } from "./grown";

const PLAIN_WORD = /^[a-z]{4,}$/;
const CORRECTED_LENGTH_MIN = 5;
const TWO_ERRORS_LENGTH_MIN = 9;
/** Words looked at for one misspelled word: what keeps a correction well below a millisecond. */
const CANDIDATES_MAX = 4000;

/** How often a word stands in titles. */
export interface WordUse {
  readonly titles: number;
}

/** The plain words of an index by first letter and length, to find what a misspelled word may mean. */
export class Vocabulary {
  readonly #buckets = new Map<string, Bucket>();

  add(word: string, use: WordUse): void {
    if (!PLAIN_WORD.test(word)) return;
    const key = keyOf(word, word.length);
    const bucket = this.#buckets.get(key) ?? new Bucket();
    this.#buckets.set(key, bucket);
    bucket.add(word, use);
  }

  remove(word: string): void {
    this.#buckets.get(keyOf(word, word.length))?.remove(word);
  }

  /**
   * The word that stands in titles with the fewest errors from any of the `forms` of an unknown word: one error, from
   * nine letters on two, the first letter right; of equals the most frequent, then the first by the alphabet. Undefined
   * for words of less than five letters. An error is a letter too many, missing, wrong, or two that changed places.
   */
  nearest(forms: readonly string[]): string | undefined {
    const [written = ""] = forms;
    if (written.length < CORRECTED_LENGTH_MIN || !forms.every((form) => PLAIN_WORD.test(form))) return undefined;
    const errorsMax = written.length >= TWO_ERRORS_LENGTH_MIN ? 2 : 1;
    let best: Candidate | undefined;
    for (const form of new Set(forms)) {
      for (const { word, use } of this.#near(form, errorsMax)) {
        const errors = errorsBetween(form, word, errorsMax);
        if (errors > errorsMax) continue;
        const candidate = { word, errors, titles: use.titles };
        if (!best || isBetter(candidate, best)) best = candidate;
      }
    }
    return best?.word;
  }

  /** Words of titles that may be near enough: they share most of their letters. */
  #near(form: string, errorsMax: number): Entry[] {
    const letters = lettersOf(form);
    const found: Entry[] = [];
    let left = CANDIDATES_MAX;
    for (let length = form.length - errorsMax; length <= form.length + errorsMax && left > 0; length++) {
      const bucket = this.#buckets.get(keyOf(form, length));
      if (!bucket) continue;
      const looked = Math.min(left, bucket.size);
      // An error adds or takes at most one letter, or changes one for another.
      for (let i = 0; i < looked; i++) {
        if (hasMoreBits(letters ^ (bucket.letters[i] as number), 2 * errorsMax)) continue;
        const entry = bucket.entries[i] as Entry;
        if (entry.use.titles > 0) found.push(entry);
      }
      left -= looked;
    }
    return found;
  }
}

interface Entry {
  word: string;
  use: WordUse;
}

/** Words of one first letter and length; their letters stand side by side, for nearly all words differ in too many. */
class Bucket {
  readonly entries: Entry[] = [];
  letters = new Int32Array(4);
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.entries.length;
  }

  add(word: string, use: WordUse): void {
    const at = this.#places.get(word) ?? this.entries.length;
    if (at >= this.letters.length) this.letters = grown(this.letters, at + 1, Int32Array);
    this.#put(at, { word, use });
  }

  /** The last word takes the place. */
  remove(word: string): void {
    const at = this.#places.get(word);
    const last = this.entries.at(-1);
    if (at === undefined || !last) return;
    this.#put(at, last);
    this.entries.pop();
    this.#places.delete(word);
  }

  #put(at: number, entry: Entry): void {
    this.entries[at] = entry;
    this.letters[at] = lettersOf(entry.word);
    this.#places.set(entry.word, at);
  }
}

const A = "a".charCodeAt(0);

function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) - A);
  return letters;
}

function hasMoreBits(mask: number, most: number): boolean {
  let left = mask;
  for (let n = 0; n < most && left !== 0; n++) left &= left - 1;
  return left !== 0;
}

const keyOf = (word: string, length: number): string => `${word.charAt(0)}${length}`;

interface Candidate {
  word: string;
  errors: number;
  titles: number;
}

function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.errors !== other.errors) return one.errors < other.errors;
  return one.titles === other.titles ? one.word < other.word : one.titles > other.titles;
}

/**
 * The edit distance with swaps of neighbours (Damerau 1964, restricted), or `most + 1` for more than `most`.
 * Both words are at most 40 letters, as the tokenizer cuts them.
 */
export function errorsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  // What both begin and end with holds no error.
  let from = 0;
  while (from < one.length && from < other.length && one[from] === other[from]) from++;
  let tail = 0;
  const tailMax = Math.min(one.length, other.length) - from;
  while (tail < tailMax && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  // Two letters at most lie between the ends of one error.
  if (most === 1 && Math.max(one.length, other.length) - from - tail > 2) return 2;
  return errorsWithin(one.slice(from, one.length - tail), other.slice(from, other.length - tail), most);
}

function errorsWithin(one: string, other: string, most: number): number {
  let [twoBack, before] = [new Uint8Array(0), Uint8Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= one.length; i++) {
    const row = new Uint8Array(other.length + 1).fill(i);
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let errors = Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) errors = Math.min(errors, (twoBack[j - 2] ?? 0) + 1);
      row[j] = errors;
      least = Math.min(least, errors);
    }
    if (least > most) return most + 1;
    [twoBack, before] = [before, row];
  }
  return Math.min(before[other.length] ?? 0, most + 1);
}
