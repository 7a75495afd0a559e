import { newStemmer } from "snowball-stemmers";

const ENGLISH_ENDING = /(?<=\p{L})'(?:s|t|d|m|ll|re|ve)(?![\p{L}\p{N}])/gu;
/** A fraction, a number with separators, or a run of letters and digits. */
const TOKEN = /\p{N}{1,3}\/\p{N}{1,3}(?![\p{L}\p{N}/])|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}]+/gu;
/** NFKC turns ½ into 1⁄2, which must not merge with the 1 of 1½. */
const BEFORE_FRACTION_SIGN = /(?<=\p{Nd})(?=[¼-¾⅐-⅞↉])/gu;
const MARKS = /\p{M}+/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LATIN_WORD = /^[a-z]{3,}$/;
const NUMBER = /^\p{N}+(?:[.,/]\p{N}+)*$/u;
const NUMBER_WITH_UNIT = /^(\p{N}+(?:[.,]\p{N}+)*)(\p{L}+)$/u;
const DIMENSIONS = /^\p{N}+(?:x\p{N}+)+$/u;
const ENTITY = /&(?:#\d{1,6}|#x[\da-f]{1,5}|amp|quot|apos|lt|gt|nbsp|reg|trade|deg);/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", deg: "°" };
const TOKEN_CHARACTERS_MAX = 40;
const STEMS_KEPT_MAX = 50_000;

/** Units of measurement and the one form under which each is indexed, behind a number. */
const UNITS: ReadonlyMap<string, string> = new Map(
  `in inch inches
  ft foot feet
  mm millimeter millimeters millimetre millimetres
  cm centimeter centimeters centimetre centimetres
  m meter meters metre metres
  yd yard yards
  kg kilo kilos kilogram kilograms
  g gram grams
  mg milligram milligrams
  lb lbs pound pounds
  oz ounce ounces
  l liter liters litre litres
  ml milliliter milliliters millilitre millilitres
  gal gallon gallons
  v volt volts
  w watt watts
  kw kilowatt kilowatts
  kwh
  wh
  ah
  mah
  a amp amps ampere amperes
  hp horsepower
  hz khz mhz ghz
  kb
  mb megabyte megabytes
  gb gigabyte gigabytes
  tb terabyte terabytes
  mp megapixel megapixels
  mbps
  gbps
  rpm
  psi
  btu
  qt quart quarts
  pc pcs piece pieces
  pk pack packs
  ct count
  db
  lm lumen lumens`
    .split("\n")
    .flatMap((line) => {
      const [form = "", ...names] = line.trim().split(" ");
      return [form, ...names].map((name): [string, string] => [name, name.endsWith("hz") ? name : form]);
    }),
);

/** A folded word of a text. */
export interface Token {
  word: string;
  /** Attached to the previous token: separated by at most one of - / . ' & + */
  joined: boolean;
  /** A number, a fraction, or a unit behind one. */
  measure: boolean;
}

/**
 * The words of a text in order: NFKC, lower case, accents and marks folded, HTML entities decoded, numbers and model
 * numbers kept. Measures have one form however they are written: `20ft`, `20 feet` and `20'` are "20" "ft", `2x4` is
 * "2" "4", `1/2"` is "1/2" "in". Scripts without spaces are split into pairs of characters. Runs in linear time.
 */
export function tokenize(text: string): Token[] {
  const folded = fold(text);
  const tokens: Token[] = [];
  let endBefore = -1;
  for (const match of folded.matchAll(TOKEN)) {
    const [run] = match;
    const gap = match.index - endBefore;
    const joined = endBefore >= 0 && gap === 1 && "-/.'&+".includes(folded.charAt(endBefore));
    endBefore = match.index + run.length;
    if (WITHOUT_SPACES.test(run)) pushPairs(tokens, run);
    else pushRun(tokens, run, joined);
    const unit = quoteUnit(folded, endBefore);
    if (unit && tokens.at(-1)?.measure) tokens.push({ word: unit, joined: true, measure: true });
  }
  return tokens;
}

/** The unit of a quote sign directly behind a number: 17" is 17 inches, 6' is 6 feet. */
function quoteUnit(folded: string, at: number): string | undefined {
  const sign = folded.charAt(at);
  if (sign === '"' || folded.startsWith("''", at)) return "in";
  return sign === "'" ? "ft" : undefined;
}

function pushRun(tokens: Token[], run: string, joined: boolean): void {
  const before = tokens.at(-1);
  if (DIMENSIONS.test(run)) {
    for (const [i, word] of run.split("x").entries()) {
      tokens.push({ word: word.slice(0, TOKEN_CHARACTERS_MAX), joined: i > 0 || joined, measure: true });
    }
    return;
  }
  const [, number, suffix = ""] = NUMBER_WITH_UNIT.exec(run) ?? [];
  const attached = number && UNITS.get(suffix);
  if (attached) {
    tokens.push({ word: number.slice(0, TOKEN_CHARACTERS_MAX), joined, measure: true });
    tokens.push({ word: attached, joined: true, measure: true });
    return;
  }
  const word = run.slice(0, TOKEN_CHARACTERS_MAX);
  const isNumber = NUMBER.test(word);
  // "2 x 4": the sign between two numbers is not a word.
  const beforeSign = tokens.at(-2);
  if (isNumber && before?.word === "x" && beforeSign?.measure) tokens.pop();
  const unit = before && NUMBER.test(before.word) ? UNITS.get(word) : undefined;
  tokens.push({ word: unit ?? word, joined, measure: isNumber || unit !== undefined });
}

/** NFKC and lower case without accents and HTML entities: "Café" becomes "cafe" and "Straße" becomes "strasse". */
export const fold = (text: string): string =>
  (text.includes("&") ? text.replace(ENTITY, decoded) : text)
    .replace(BEFORE_FRACTION_SIGN, " ")
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(MARKS, "")
    .replaceAll("ß", "ss")
    .replaceAll("⁄", "/")
    .replace(/[’‘′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(ENGLISH_ENDING, "");

function decoded(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return ENTITIES[name] ?? " ";
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 31 ? String.fromCodePoint(code) : " ";
}

/** Porter 1980; the newer English stemmer of Snowball does not reduce "gpus" and "pcs" to "gpu" and "pc". */
const PORTER = newStemmer("porter");
/**
 * The 1980 rules shorten all doubled consonants except l, s and z; this package does not shorten the one in "trekking".
 */
const DOUBLED_K = /kk$/;

/** A cache of stems: a stem takes about 10 µs to compute, and texts and queries repeat the same words. */
const STEMS = new Map<string, string>();

/**
 * The form under which words are indexed and looked up: the Porter stem of a plain Latin word, or the unchanged word.
 * Both sides use it in every language, because publishers often do not change the default locale.
 */
export function stem(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  if (!LATIN_WORD.test(word)) return word;
  if (STEMS.size >= STEMS_KEPT_MAX) STEMS.clear();
  const made = PORTER.stem(word).replace(DOUBLED_K, "k");
  STEMS.set(word, made);
  return made;
}

/**
 * "1211" for "1211ea", "m510" for "m510dn": the part of a model number that people remember, without the variant
 * suffix.
 */
export const modelNumberOf = (word: string): string | undefined => /^(\p{L}{0,4}\d{3,})[a-z]{1,3}$/u.exec(word)?.[1];

/** The language of a locale such as "de-AT"; English if the locale is invalid. */
export const languageOf = (locale: string): string => /^[a-z]{2,3}(?=$|[-_])/i.exec(locale)?.[0].toLowerCase() ?? "en";

function pushPairs(tokens: Token[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) tokens.push({ word: run, joined: false, measure: false });
  for (let i = 0; i + 1 < characters.length; i++) {
    tokens.push({ word: `${characters[i]}${characters[i + 1]}`, joined: false, measure: false });
  }
}
