/** The fields in which a word of an item can occur, in the bit order of a posting's mask. */
export const FIELDS = ["title", "brand", "category", "description", "attributes", "keywords"] as const;
export type Field = (typeof FIELDS)[number];

/** The weight of one occurrence, and the usual length of the field in words. */
export type FieldRules = Readonly<Record<Field, { weight: number; usualLength: number }>>;

/** Weights that held on catalogues of two trades; `npm run bench -- relevance` measures them on another one. */
export const FIELD_RULES: FieldRules = {
  title: { weight: 3, usualLength: 10 },
  brand: { weight: 2, usualLength: 1.3 },
  category: { weight: 2, usualLength: 2 },
  description: { weight: 1, usualLength: 15 },
  attributes: { weight: 0.5, usualLength: 30 },
  keywords: { weight: 2, usualLength: 6 },
};
/** b of BM25: how strongly long fields are damped. */
const DAMPING = 0.6;
/** k1 of BM25. */
const SATURATION = 0.6;
const IMPACT_STEPS = 0xffff;

/** The bit of a field in a posting's mask. */
export const bitOf = (field: Field): number => 1 << FIELDS.indexOf(field);
/** Set where the word is the main head noun of the title, and where it is any candidate for what the item is. */
export const MAIN_HEAD = 1 << FIELDS.length;
export const NAMES_KIND = 2 << FIELDS.length;
/** One more than the highest mask. */
export const MASKS = 4 << FIELDS.length;

/** The words of an item as they are keyed in the index. */
export interface IndexedItem {
  /** By field; a field's length is its number of words. */
  words: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** The words of the title in order, without function words and derived forms. */
  title: readonly string[];
  /** The different words of the title as written, folded. */
  written: readonly string[];
  /** Nouns that may say what the item is, the most likely one first. */
  heads: readonly string[];
}

/** The indexed form of a document. */
export interface WeighedWords {
  /** Unique words. */
  words: readonly string[];
  /** Posting values, by word. */
  values: Int32Array;
  /** The title in order, as positions in `words`. */
  title: Int32Array;
  written: readonly string[];
}

/** The impact of a posting's value, between 0 and 1. */
export const impactOf = (value: number): number => (value & IMPACT_STEPS) / IMPACT_STEPS;

/** The fields of a posting's value: bit i means `FIELDS[i]`; `MAIN_HEAD` and `NAMES_KIND` in addition. */
export const maskOf = (value: number): number => value >>> 16;

/** Weights the words of a document by field, length and frequency (BM25F), independently of other documents. */
export function weighWords({ words: fields, title, written, heads }: IndexedItem): WeighedWords {
  const weighed = new Map<string, { frequency: number; mask: number }>();
  FIELDS.forEach((field, bit) => {
    const words = fields[field];
    if (!words || words.length === 0) return;
    const { weight, usualLength } = FIELD_RULES[field];
    const share = weight / (1 - DAMPING + DAMPING * (words.length / usualLength));
    for (const word of words) {
      const entry = weighed.get(word);
      if (entry) {
        entry.frequency += share;
        entry.mask |= 1 << bit;
      } else weighed.set(word, { frequency: share, mask: 1 << bit });
    }
  });
  for (const [i, head] of heads.entries()) {
    const entry = weighed.get(head);
    if (entry) entry.mask |= i === 0 ? MAIN_HEAD | NAMES_KIND : NAMES_KIND;
  }
  const values = Int32Array.from(
    weighed.values(),
    ({ frequency, mask }) => (mask << 16) | Math.round((frequency / (SATURATION + frequency)) * IMPACT_STEPS),
  );
  const places = new Map([...weighed.keys()].map((word, at) => [word, at]));
  return {
    words: [...weighed.keys()],
    values,
    title: Int32Array.from(title, (word) => places.get(word) ?? 0),
    written,
  };
}
