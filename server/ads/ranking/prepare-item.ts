import { sha256 } from "../../kernel/secrets";
import { type WeighedWords, weighWords } from "./inverted-index";
import { type ItemText, itemTexts, itemWords, type WordForm } from "./item-words";

/** An item ready for the index. */
export interface PreparedItem extends WeighedWords {
  /** Equal for equal texts. */
  print: string;
}

/** All the work of indexing an item that needs nothing but its text. */
export const prepareItem = (text: ItemText, form: WordForm): PreparedItem => ({
  print: textPrint(text),
  ...weighWords(itemWords(text, form)),
});

/** Tells texts apart; equal texts need no indexing again. */
export const textPrint = (text: ItemText): string => sha256(JSON.stringify([text.language, itemTexts(text)]));
