import { stem } from "../../server/guard/text/tokenizer";
import type { PlainDoc } from "./peers";

const FIELD_WEIGHTS = { title: 3, brand: 2, type: 2, description: 1, attributes: 0.5 } as const;
const DAMPING = 0.6;
const SATURATION = 1.2;

/** The opponent: textbook BM25F with stems, any matching word suffices, no gate; Maps and objects throughout. */
export class PlainBm25f {
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #ids: string[];

  constructor(docs: readonly PlainDoc[]) {
    this.#ids = docs.map(({ id }) => id);
    for (const field of Object.keys(FIELD_WEIGHTS) as (keyof typeof FIELD_WEIGHTS)[]) {
      const words = docs.map((doc) => wordsOf(doc[field]));
      const usual = words.reduce((sum, { length }) => sum + length, 0) / Math.max(1, docs.length);
      words.forEach((list, doc) => {
        const share = FIELD_WEIGHTS[field] / (1 - DAMPING + (DAMPING * list.length) / Math.max(1, usual));
        for (const word of list) this.#add(word, doc, share);
      });
    }
  }

  search(query: string, limit: number): string[] {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const postings = this.#postings.get(word);
      if (!postings) continue;
      const idf = Math.log(1 + (this.#ids.length - postings.size + 0.5) / (postings.size + 0.5));
      for (const [doc, frequency] of postings) {
        scores.set(doc, (scores.get(doc) ?? 0) + (idf * frequency) / (SATURATION + frequency));
      }
    }
    const ranked = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
    return ranked.map(([doc]) => this.#ids[doc] ?? "");
  }

  #add(word: string, doc: number, share: number): void {
    const postings = this.#postings.get(word) ?? new Map<number, number>();
    this.#postings.set(word, postings.set(doc, (postings.get(doc) ?? 0) + share));
  }
}

const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
