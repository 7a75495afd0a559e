import { InvertedIndex } from "./inverted-index";
import { itemWords } from "./item-words";
import { type WeighedWords, weighWords } from "./weigh-words";

interface Texts {
  title: string;
  content?: string;
  language?: string;
}

/** A product of these texts as it is indexed. */
export const weighed = ({ title, content = "", language }: Texts): WeighedWords =>
  weighWords(
    itemWords({
      item: { kind: "product", id: "p", campaignId: "c", landingUrl: "", inStock: true, title, content },
      details: [],
      keywords: [],
      language,
    }),
  );

/** An index of products, numbered from 0. */
export function indexOf(items: readonly (string | Texts)[]): InvertedIndex {
  const index = new InvertedIndex();
  for (const item of items) index.add(weighed(typeof item === "string" ? { title: item } : item));
  return index;
}

/** All live items of an index. */
export const everything = (index: InvertedIndex) => ({
  items: index.size,
  admits: (doc: number) => index.isAlive(doc),
});
