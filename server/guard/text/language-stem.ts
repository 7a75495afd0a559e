import { newStemmer } from "snowball-stemmers";

const FOLDED_LATIN_WORD = /^[a-z]{4,}$/;

/**
 * Stemmers of the Snowball project (Porter 2001) by language. They keep internal state between calls, but it does not
 * affect their results.
 */
const STEMMERS = new Map(
  Object.entries({
    da: "danish",
    de: "german",
    es: "spanish",
    fi: "finnish",
    fr: "french",
    hu: "hungarian",
    it: "italian",
    nb: "norwegian",
    nl: "dutch",
    no: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    sv: "swedish",
    tr: "turkish",
  }).map(([language, name]) => [language, newStemmer(name)] as const),
);

/**
 * The stem of a folded word in a language other than English ("laptoptasch" for "laptoptaschen" in "de"); undefined if
 * the language has no stemmer here or the word is not plain Latin. It is used in addition to the English form, in the
 * index and in queries, because neither side always knows its language.
 */
export function languageStem(word: string, language: string): string | undefined {
  const stemmer = STEMMERS.get(language);
  return stemmer && FOLDED_LATIN_WORD.test(word) ? stemmer.stem(word) : undefined;
}
