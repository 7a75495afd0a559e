import { isChatWord, isFunctionWord } from "./stop-words";
import type { Token } from "./tokenizer";

/** What the asking words say: a wish to buy, a question or statement about the world, or nothing either way. */
export type Intent = "buy" | "ask" | "plain";

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words of commerce: what people say when they want to have something, compare it or know its price. */
const BUYS = setOf(`
  buy buying purchase purchasing order ordering shopping need needs needed want wants looking searching recommend
  recommends recommendation recommendations suggest suggests suggestion suggestions advise advice best better
  decent cheap cheaper cheapest affordable inexpensive reliable durable price prices priced cost costs deal deals
  discount coupon bargain sale sell sells stock gift gifts present replace replacement replacing upgrade upgrading
  choose choosing pick compare comparison versus vs review reviews worth budget afford which should under below
  suche brauche kaufen bestellen gunstig gunstige gunstiger empfehlen preis cherche acheter achat moins prix conseil
  busco necesito quiero comprar precio oferta recomendar
`);
/** Words that open a question or an order to write, explain or work something out. */
const ASKS = setOf(`
  who why when how what where whose is are was were does did do can could will would explain translate write tell define
  calculate solve summarize convert rewrite describe prove list name facts meaning wie was wer wann warum wo welche
  comment pourquoi quand quel quelle qui como cual cuando donde quien
`);
/** Words of whole sentences and of definitions, which hardly stand in a search for goods. */
const TELLS = setOf("i you he she we they it am is are was were been does did has have had of del");

/** What stands between a verb and its object: "record a will", "play the piano", "call me". */
const OBJECT_FOLLOWS = setOf("a an the my your our me us");

/**
 * What the asking words of a text say. Words of commerce decide wherever they stand; else an asking word in front or the
 * words of a whole sentence make it a question.
 */
export function intentOf(tokens: readonly Token[]): Intent {
  if (tokens.some(({ word }) => BUYS.has(word))) return "buy";
  const [first = "", second = ""] = tokens.map(({ word }) => word);
  const isOrder = OBJECT_FOLLOWS.has(second) && !isFunctionWord(first, "en") && !isChatWord(first);
  // "near me" asks for a place to go to, unless it says that something is to be bought there.
  const isPlace = tokens.some(({ word }, i) => word === "near" && tokens[i + 1]?.word === "me");
  return isOrder || isPlace || ASKS.has(first) || tokens.some(({ word }) => TELLS.has(word)) ? "ask" : "plain";
}
