import type { PromptOffer } from "../ledger/prompt-offers";

/** Shorter titles occur in texts that do not mean the offer. */
const TITLE_CHARACTERS_MIN = 4;
const WORD = /[\p{L}\p{N}]/u;

/** Whether a text contains the click URL of an offer, or its exact title as words of its own. */
export const mentions = (text: string, { title, clickUrl }: Pick<PromptOffer, "title" | "clickUrl">): boolean =>
  text.includes(clickUrl) || ([...title].length >= TITLE_CHARACTERS_MIN && hasWords(text, title));

function hasWords(text: string, title: string): boolean {
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? "", text.charAt(at + title.length)];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}
