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
  readonly #buckets = new Map<string, Map<string, Entry>>();

  add(word: string, use: WordUse): void {
    if (!PLAIN_WORD.test(word)) return;
    const key = keyOf(word, word.length);
    const bucket = this.#buckets.get(key) ?? new Map<string, Entry>();
    this.#buckets.set(key, bucket.set(word, { word, use, letters: lettersOf(word) }));
  }

  remove(word: string): void {
    this.#buckets.get(keyOf(word, word.length))?.delete(word);
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
    let looked = 0;
    for (let length = form.length - errorsMax; length <= form.length + errorsMax; length++) {
      for (const entry of this.#buckets.get(keyOf(form, length))?.values() ?? []) {
        if (looked++ >= CANDIDATES_MAX) return found;
        // An error adds or takes at most one letter, or changes one for another.
        if (bitsOf(letters ^ entry.letters) <= 2 * errorsMax && entry.use.titles > 0) found.push(entry);
      }
    }
    return found;
  }
}

interface Entry {
  word: string;
  use: WordUse;
  /** A bit for each letter that it has. */
  letters: number;
}

const A = "a".charCodeAt(0);

function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) - A);
  return letters;
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
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
