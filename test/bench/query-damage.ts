import { pick } from "./seeded-random";
import type { TitleIndex } from "./title-index";

/** What damages need: words that titles have are no damage. */
export interface Damaging {
  titles: TitleIndex;
  random: () => number;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const MISSPELT_LENGTH_MIN = 4;
const SPLIT_LENGTH_MIN = 6;
const PART_LENGTH_MIN = 3;
const TRIES = 20;

/** One error in one word: a letter inserted, deleted, replaced, or swapped with the next. */
export function misspelt(query: string, { titles, random }: Damaging): string | undefined {
  const words = query.split(" ");
  const long = words.filter((word) => word.length >= MISSPELT_LENGTH_MIN && /^\p{L}+$/u.test(word));
  for (let tries = 0; long.length > 0 && tries < TRIES; tries++) {
    const word = pick(long, random);
    const wrong = withOneError(word, random);
    if (wrong !== word && titles.count(wrong) === 0) return replaced(words, word, wrong);
  }
  return undefined;
}

function withOneError(word: string, random: () => number): string {
  const at = Math.floor(random() * word.length);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const changes = [
    () => before + pick(LETTERS, random) + letter + after,
    () => before + after,
    () => before + pick(LETTERS, random) + after,
    () => before + after.charAt(0) + letter + after.slice(1),
  ];
  return pick(changes, random)();
}

/** Two neighbours written as one word that no title has; neighbours in a title first. */
export function joined(query: string, { titles, random }: Damaging): string | undefined {
  const words = query.split(" ");
  const all = words.slice(1).map((word, i) => [words[i] ?? "", word] as const);
  const usable = all.filter(([first, second]) => titles.count(first + second) === 0);
  const close = usable.filter(([first, second]) => titles.areNeighbours(first, second));
  const pairs = close.length > 0 ? close : usable;
  if (pairs.length === 0) return undefined;
  const [first, second] = pick(pairs, random);
  return query.replace(`${first} ${second}`, () => first + second);
}

/** One long word cut in two, where both parts are words of titles if there is such a place. */
export function split(query: string, { titles, random }: Damaging): string | undefined {
  const words = query.split(" ");
  const long = words.filter((word) => word.length >= SPLIT_LENGTH_MIN && /^\p{L}+$/u.test(word));
  if (long.length === 0) return undefined;
  const word = pick(long, random);
  const places = Array.from({ length: word.length - 2 * PART_LENGTH_MIN + 1 }, (_, i) => i + PART_LENGTH_MIN);
  const natural = places.filter((at) => titles.count(word.slice(0, at)) > 0 && titles.count(word.slice(at)) > 0);
  const at = pick(natural.length > 0 ? natural : places, random);
  return replaced(words, word, `${word.slice(0, at)} ${word.slice(at)}`);
}

const replaced = (words: readonly string[], word: string, by: string): string =>
  words.map((one) => (one === word ? by : one)).join(" ");
