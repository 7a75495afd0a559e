import levels from "./general-words.json" with { type: "json" };

/** The frequency of a word that the list does not have. */
const UNLISTED = 3e-6;
/** Levels are steps of this many natural logarithms. */
const LEVEL_STEP = 0.5;

const FREQUENCIES = new Map<string, number>();
for (const [level, words] of Object.entries(levels.words)) {
  for (const word of words.split(" ")) FREQUENCIES.set(word, Math.exp(Number(level) * LEVEL_STEP));
}

/**
 * How frequent an English word is in general text: the share of sentences that contain it, between 3e-6 and 1. The larger
 * of two shares: six times the mean of its share of the words of WordNet's definitions and examples and half of its share
 * of WordNet's sense counts, and its share of questions that people ask assistants (clinc/oos-eval, CC BY 3.0, words of
 * one question alone left out). general-words.json has each word at twice the logarithm of it and names its sources.
 */
export const generalFrequency = (word: string): number => (FREQUENCIES.get(word) ?? 0) + UNLISTED;

/** Whether general text has the word, so that it is not a misspelled one. */
export const isGeneralWord = (word: string): boolean => FREQUENCIES.has(word);
