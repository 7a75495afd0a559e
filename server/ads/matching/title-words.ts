import { grown } from "./grown";

const PLAIN_WORD = /^\p{L}{3,}$/u;
const CORRECTED_LENGTH_MIN = 4;
const TWO_ERRORS_LENGTH_MIN = 8;
/** Weighs an error against how much more frequent a word is: three errors of e^3 = 20 times. */
const ERROR_COST = 3;

/** Counts the words of titles as written, and finds the one that a misspelled word most likely means. */
export class TitleWords {
  readonly #places = new Map<string, { bucket: Bucket; at: number }>();
  readonly #buckets: Bucket[] = [];

  /** The number of titles with this very word. */
  titles(word: string): number {
    const place = this.#places.get(word);
    return place ? (place.bucket.titles[place.at] as number) : 0;
  }

  /** Counts a word of `titles` more titles. */
  add(word: string, titles = 1): void {
    const place = this.#places.get(word);
    if (place) {
      place.bucket.titles[place.at] = (place.bucket.titles[place.at] as number) + titles;
      return;
    }
    const bucket = this.#buckets[word.length] ?? new Bucket();
    this.#buckets[word.length] = bucket;
    this.#places.set(word, { bucket, at: bucket.add(word, titles) });
  }

  /** Counts a word of `titles` fewer titles. */
  remove(word: string, titles = 1): void {
    const place = this.#places.get(word);
    if (!place) return;
    const { bucket, at } = place;
    const left = (bucket.titles[at] as number) - titles;
    bucket.titles[at] = left;
    if (left > 0) return;
    this.#places.delete(word);
    const moved = bucket.remove(at);
    const placeOfMoved = moved === undefined ? undefined : this.#places.get(moved);
    if (placeOfMoved) placeOfMoved.at = at;
  }

  /**
   * The title word that an unknown word most likely means: with one error, or two from eight letters on, weighed
   * against how many titles have the word. Undefined for words of less than four letters and without a candidate. An
   * error is an extra, missing or wrong letter, or a swap of two adjacent letters. `titlesOf` tells how many titles count
   * for a word, at most all that have it; a word with none is no candidate.
   */
  nearest(written: string, titlesOf = (word: string) => this.titles(word)): string | undefined {
    if (written.length < CORRECTED_LENGTH_MIN || !PLAIN_WORD.test(written)) return undefined;
    const errorsMax = written.length >= TWO_ERRORS_LENGTH_MIN ? 2 : 1;
    const letters = lettersOf(written);
    let best: { word: string; cost: number } | undefined;
    for (let length = written.length - errorsMax; length <= written.length + errorsMax; length++) {
      const bucket = this.#buckets[length];
      for (let at = 0; bucket && at < bucket.size; at++) {
        // An error adds or removes at most one letter, or replaces one.
        if (hasMoreBits(letters ^ (bucket.letters[at] as number), 2 * errorsMax)) continue;
        const word = bucket.words[at] as string;
        if (!PLAIN_WORD.test(word)) continue;
        const errors = errorsBetween(written, word, errorsMax);
        if (errors > errorsMax) continue;
        const likeness = ERROR_COST * errors - Number(word[0] === written[0]);
        if (best && likeness - Math.log(bucket.titles[at] as number) > best.cost) continue;
        const cost = likeness - Math.log(titlesOf(word));
        if (cost === Number.POSITIVE_INFINITY) continue;
        if (!best || cost < best.cost || (cost === best.cost && word < best.word)) best = { word, cost };
      }
    }
    return best?.word;
  }
}

/** Words of the same length. Their letters are stored contiguously, because nearly all words differ in too many. */
class Bucket {
  readonly words: string[] = [];
  letters = new Int32Array(4);
  titles = new Int32Array(4);

  get size(): number {
    return this.words.length;
  }

  add(word: string, titles: number): number {
    const at = this.words.length;
    if (at >= this.letters.length) {
      this.letters = grown(this.letters, at + 1, Int32Array);
      this.titles = grown(this.titles, at + 1, Int32Array);
    }
    this.words.push(word);
    this.letters[at] = lettersOf(word);
    this.titles[at] = titles;
    return at;
  }

  /** The last word takes the place of the removed one; returns it, or undefined if it was the removed one. */
  remove(at: number): string | undefined {
    const last = this.words.pop();
    if (last === undefined || at === this.words.length) return undefined;
    this.words[at] = last;
    this.letters[at] = this.letters[this.words.length] as number;
    this.titles[at] = this.titles[this.words.length] as number;
    return last;
  }
}

/** One bit per letter; letters of other alphabets share bits, which only makes the filter less selective. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function hasMoreBits(mask: number, most: number): boolean {
  let left = mask;
  for (let n = 0; n < most && left !== 0; n++) left &= left - 1;
  return left !== 0;
}

/**
 * The edit distance with swaps of adjacent letters (Damerau 1964, restricted), or `most + 1` if it exceeds `most`. Both
 * words have at most 40 letters, the tokenizer's limit.
 */
export function errorsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  // The common start and end contain no errors.
  let from = 0;
  while (from < one.length && from < other.length && one[from] === other[from]) from++;
  let tail = 0;
  const tailMax = Math.min(one.length, other.length) - from;
  while (tail < tailMax && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  // Between the ends of one error there are at most two letters.
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
