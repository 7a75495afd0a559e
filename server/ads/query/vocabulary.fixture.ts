import type { InvertedIndex } from "../matching/inverted-index";
import { everything } from "../matching/titled-index.fixture";
import { Vocabulary } from "./vocabulary";

/** The words of all items of an index. */
export const vocabularyOf = (index: InvertedIndex): Vocabulary => new Vocabulary(index, everything(index));
