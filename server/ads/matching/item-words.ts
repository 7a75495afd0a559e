import { headNouns } from "../../guard/text/head-noun";
import { languageStem } from "../../guard/text/language-stem";
import { isFunctionWord } from "../../guard/text/stop-words";
import { modelNumberOf, stem, type Token, tokenize } from "../../guard/text/tokenizer";
import type { ItemDetail, Keyword, ServingItem } from "../serving/serving";
import type { Field, IndexedItem } from "./weigh-words";

const CATEGORY_DETAILS = new Set(["type", "product type", "product_type", "category"]);
const NUMBER_ONLY = /^[\d\s.,x×/-]*$/;
const LETTERS = /^\p{L}+$/u;
const WORDS_PER_FIELD_MAX = 400;

export interface ItemText {
  item: ServingItem;
  details: readonly ItemDetail[];
  keywords: readonly Keyword[];
  /** The campaign's language if known ("de"); words are also indexed by their stems in it. */
  language?: string | undefined;
}

/** The words of an item by field, as they are indexed. */
export function itemWords(text: ItemText): IndexedItem {
  const texts = itemTexts(text);
  const { language } = text;
  const { title, ...others } = texts;
  const words = {
    title: titleWords(title, language),
    ...Object.fromEntries(Object.entries(others).map(([field, value]) => [field, indexWords(value, language)])),
  };
  const heads = headNouns(texts.title, texts.category, language);
  const main = heads.main ? [heads.main] : [];
  return {
    words,
    title: titleForms(texts.title, language),
    written: writtenWords(texts.title),
    heads: [...new Set([...main, ...heads.all].map(stem))],
  };
}

/** The texts of an item by field; equal texts need not be indexed again. */
export function itemTexts({ item, details, keywords }: ItemText): Record<Field, string> {
  const isCategory = ({ name }: ItemDetail) => CATEGORY_DETAILS.has(name.toLowerCase());
  const category = item.kind === "creative" ? item.product?.category : item.category;
  const brand = item.kind === "creative" ? item.brand?.name : item.brandName;
  return {
    title: titleOf(item),
    brand: brand ?? "",
    category: joined([category, ...details.filter(isCategory).map(({ value }) => String(value))]),
    description: item.content,
    attributes: joined(details.filter((detail) => !isCategory(detail)).map(detailText)),
    keywords: joined(keywords.filter(({ match }) => match === "broad").map(({ text }) => text)),
  };
}

const titleOf = (item: ServingItem): string =>
  item.kind === "creative" ? joined([item.title, item.product?.title]) : item.title;

/** The different words of an item's title as written, folded. */
export const writtenTitle = (item: ServingItem): string[] => writtenWords(titleOf(item));

const writtenWords = (title: string): string[] => [
  ...new Set(fieldTokens(title).flatMap((token, i, all) => [token.word, ...compoundAt(all, i)])),
];

const titleForms = (title: string, language = "en"): string[] =>
  fieldTokens(title)
    .filter((token) => isIndexed(token, language))
    .map(({ word }) => stem(word));

const fieldTokens = (text: string): Token[] => tokenize(text).slice(0, WORDS_PER_FIELD_MAX);

/** Function words are not indexed, except as units: the "in" of 17 in. */
const isIndexed = ({ word, measure }: Token, language: string): boolean => measure || !isFunctionWord(word, language);

/** Words of a text as keyed in the index, without function words. */
export function indexWords(text: string, language = "en"): string[] {
  return fieldTokens(text)
    .filter((token) => isIndexed(token, language))
    .flatMap(({ word }) => formsOf(word, language));
}

/**
 * Words of a title as keyed in the index: also what its hyphens join ("wi-fi" as "wifi") and the parts of model numbers
 * that people remember.
 */
export function titleWords(title: string, language = "en"): string[] {
  const more = fieldTokens(title).flatMap(({ word }, i, all) => {
    const model = modelNumberOf(word);
    return [...compoundAt(all, i).map(stem), ...(model ? [model] : [])];
  });
  return [...indexWords(title, language), ...more];
}

function formsOf(word: string, language: string): string[] {
  const form = stem(word);
  const other = languageStem(word, language);
  return other === undefined || other === form ? [form] : [form, other];
}

/** What a token forms with the one before it that it is attached to: "wifi", "tshirt", "dv71211ea". */
function compoundAt(tokens: readonly Token[], at: number): string[] {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!before || !token?.joined || token.measure) return [];
  return LETTERS.test(before.word) === LETTERS.test(token.word) || !before.measure ? [before.word + token.word] : [];
}

/** A feature that is present is named by its attribute, a value by itself; bare measures are useless for search. */
function detailText({ name, value }: ItemDetail): string {
  if (value === true || value === "true" || value === "yes") return name;
  if (typeof value !== "string" || NUMBER_ONLY.test(value)) return "";
  return value;
}

const joined = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join(" ; ");
