declare module "snowball-stemmers" {
  /** Throws for a language that is not in `algorithms()`. */
  export function newStemmer(language: string): { stem(word: string): string };
  export function algorithms(): string[];
}
