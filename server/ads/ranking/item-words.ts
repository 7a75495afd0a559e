import type { Field, FieldWords, IndexedItem } from "./inverted-index";
import { kindWords } from "./item-kind";
import { languageStem } from "./language-stem";
import type { ItemDetail, Keyword, ServingItem } from "./serving";
import { isFunctionWord } from "./stop-words";
import { phrasesFrom } from "./synonyms";
import { compoundOf, modelNumberOf, tokenize } from "./tokenizer";

const CATEGORY_DETAILS = new Set(["type", "product type", "product_type", "category"]);
const NUMBER_ONLY = /^[\d\s.,x×/-]*$/;
const WORDS_PER_FIELD_MAX = 400;

export interface ItemText {
  item: ServingItem;
  details: readonly ItemDetail[];
  keywords: readonly Keyword[];
  /** The language of the campaign where it is known ("de"); words also stand under their stems in it. */
  language?: string | undefined;
}

/** What a word is indexed under. */
export type WordForm = (word: string) => string;

/** The words of an item by field, as they are indexed. */
export function itemWords(text: ItemText, form: WordForm): IndexedItem {
  const texts = itemTexts(text);
  const wordsOf = (value: string) => indexWords(value, form, text.language);
  const entries = Object.entries(texts).map(([field, value]) => [field, wordsOf(value)]);
  const kind = kindWords(texts);
  const words = { ...(Object.fromEntries(entries) as FieldWords), kind: wordsOf(kind.words.join(" ")) };
  return { words, isKindKnown: kind.isKnown };
}

/** The texts of an item by field; equal texts need no indexing again. */
export function itemTexts({ item, details, keywords }: ItemText): Record<Exclude<Field, "kind">, string> {
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

/** Words of a text as the index knows them: function words dropped; compounds, phrases and model numbers added beside their parts. */
export function indexWords(text: string, form: WordForm, language = "en"): string[] {
  const words: string[] = [];
  const tokens = tokenize(text).slice(0, WORDS_PER_FIELD_MAX);
  const forms = tokens.map(({ word }) => form(word));
  for (const [i, token] of tokens.entries()) {
    const compound = compoundOf(tokens[i - 1], token);
    if (compound) words.push(form(compound));
    const model = modelNumberOf(token.word);
    if (model) words.push(model);
    if (!isFunctionWord(token.word, language)) {
      words.push(forms[i] as string);
      const stem = languageStem(token.word, language);
      if (stem !== undefined && stem !== forms[i]) words.push(stem);
    }
    for (const phrase of phrasesFrom(forms, i)) words.push(phrase.form);
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
