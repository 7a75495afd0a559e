import type { Field, FieldWords } from "./inverted-index";
import type { ItemDetail, Keyword, ServingItem } from "./serving";
import { isFunctionWord } from "./stop-words";
import { compoundOf, type Token, tokenize } from "./tokenizer";

const CATEGORY_DETAILS = new Set(["type", "product type", "product_type", "category"]);
const NUMBER_ONLY = /^[\d\s.,x×/-]*$/;
const WORDS_PER_FIELD_MAX = 400;

export interface ItemText {
  item: ServingItem;
  details: readonly ItemDetail[];
  keywords: readonly Keyword[];
}

/** What a word is indexed under. */
export type WordForm = (word: string) => string;

/** The words of an item by field, as they are indexed. */
export function itemWords(text: ItemText, form: WordForm): FieldWords {
  const entries = Object.entries(itemTexts(text)).map(([field, value]) => [field, indexWords(value, form)]);
  return Object.fromEntries(entries) as FieldWords;
}

/** The texts of an item by field; equal texts need no indexing again. */
export function itemTexts({ item, details, keywords }: ItemText): Record<Field, string> {
  const isCategory = ({ name }: ItemDetail) => CATEGORY_DETAILS.has(name.toLowerCase());
  const category = item.kind === "creative" ? item.product?.category : item.category;
  const brand = item.kind === "creative" ? item.brand?.name : item.brandName;
  return {
    title: item.kind === "creative" ? joined([item.title, item.product?.title]) : item.title,
    brand: brand ?? "",
    category: joined([category, ...details.filter(isCategory).map(({ value }) => String(value))]),
    description: item.content,
    attributes: joined(details.filter((detail) => !isCategory(detail)).map(detailText)),
    keywords: joined(keywords.filter(({ match }) => match === "broad").map(({ text }) => text)),
  };
}

/** Words of a text as the index knows them: function words dropped, compounds added beside their parts. */
export function indexWords(text: string, form: WordForm): string[] {
  const words: string[] = [];
  let before: Token | undefined;
  for (const token of tokenize(text)) {
    const compound = compoundOf(before, token);
    if (compound) words.push(form(compound));
    if (!isFunctionWord(token.word, "en")) words.push(form(token.word));
    before = token;
    if (words.length >= WORDS_PER_FIELD_MAX) break;
  }
  return words;
}

/** A feature that is there is named by its attribute, a value by itself; bare measures say nothing to a searcher. */
function detailText({ name, value }: ItemDetail): string {
  if (value === true || value === "true" || value === "yes") return name;
  if (typeof value !== "string" || NUMBER_ONLY.test(value)) return "";
  return value;
}

const joined = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join(" ; ");

/** What tells that two items are one product: its trade number, else the page that it leads to. */
export const productKey = (item: ServingItem): string => (item.kind === "product" && item.gtin) || item.landingUrl;
