import { sha256 } from "../../kernel/secrets";
import { type ItemText, itemTexts, itemWords } from "./item-words";
import { type WeighedWords, weighWords } from "./weigh-words";

/** An item that is ready for the index. */
export interface PreparedItem extends WeighedWords {
  /** The same for equal texts. */
  print: string;
}

/** Does all work of indexing an item that depends only on its text. */
export const prepareItem = (text: ItemText): PreparedItem => ({
  print: textPrint(text),
  ...weighWords(itemWords(text)),
});

/** A key for comparing texts; equal texts need not be indexed again. */
export const textPrint = (text: ItemText): string => sha256(JSON.stringify([text.language, itemTexts(text)]));
