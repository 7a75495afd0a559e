import { ENDS_VALUE, IS_BLANK, IS_NAME_TAIL, isIn, latin1 } from "./byte-classes";
import { entropyOf, isPlaceholder } from "./placeholders";
import type { Match, RuleText, Window } from "./rule";

const PASSWORD = "assigned_password";
const KEY = "assigned_key";

/** Values of settings whose name says that they are secret. */
export const ASSIGNED_RULES: readonly RuleText[] = [
  {
    id: PASSWORD,
    category: "secret",
    severity: "medium",
    title: "Password in a setting",
    remedy: "Delete the object and change the password.",
  },
  {
    id: KEY,
    category: "secret",
    severity: "medium",
    title: "Random key or token in a setting",
    remedy: "Delete the object and replace the key.",
  },
];

const PASSWORD_NAMES = ["password", "passwd", "passphrase", "pwd", "_pass", "パスワード"];
const KEY_NAMES = [
  "secret",
  "token",
  "api_key",
  "apikey",
  "api-key",
  "api key",
  "access_key",
  "accesskey",
  "access-key",
];
const MORE_KEY_NAMES = [
  "auth_key",
  "authkey",
  "private_key",
  "privatekey",
  "encryption_key",
  "signing_key",
  "credential",
];
/** The names of settings. */
export const ASSIGNED_LITERALS = [...PASSWORD_NAMES, ...KEY_NAMES, ...MORE_KEY_NAMES] as const;

const TAIL_MAX = 24;
const BLANKS_MAX = 8;
const VALUE_BYTES = 200;
/** Settings about a secret that are none. */
const ABOUT =
  /(?:name|id|ids|url|uri|path|file|type|ref|length|len|count|size|ttl|expir\w*|hash|hint|policy|reset|field|label|regex|prefix|provider|endpoint|version|arn|s|izer|ized?|format|header|param|required|env|var|limit|max|min|manager|store|class|at)$/i;
const OPERATORS = ["=>", ":=", "==", "=", ":", ">"];

interface Value {
  start: number;
  end: number;
  text: string;
  isQuoted: boolean;
}

/** The secret that is assigned to the setting whose name has a literal from `at` to `end`. */
export function assignedSecretAt(window: Window, at: number, literal: string): Match | undefined {
  const value = valueAfter(window, at + Buffer.byteLength(literal));
  if (!value) return undefined;
  const isPassword = PASSWORD_NAMES.includes(literal);
  if (isPlaceholder(value.text) || isCode(value)) return undefined;
  if (isPassword ? !isPasswordLike(value) : !isKeyLike(value.text)) return undefined;
  return {
    rule: isPassword ? PASSWORD : KEY,
    start: value.start,
    end: value.end,
    confidence: "medium",
  };
}

function valueAfter({ bytes }: Window, from: number): Value | undefined {
  let at = from;
  while (at < from + TAIL_MAX && isIn(IS_NAME_TAIL, bytes, at)) at++;
  if (ABOUT.test(latin1(bytes, from, at))) return undefined;
  at = skipQuote(bytes, at);
  at = skipBlanks(bytes, at);
  const operator = OPERATORS.find((one) => latin1(bytes, at, at + one.length) === one);
  if (operator === undefined || operator === "==") return undefined;
  at = skipBlanks(bytes, at + operator.length);
  return valueAt(bytes, at);
}

const QUOTES = new Set([0x22, 0x27, 0x60]);
const BACKSLASH = 0x5c;

/** The quote, or the escaped quote, that ends the name of a setting. */
function skipQuote(bytes: Buffer, at: number): number {
  const start = bytes[at] === BACKSLASH ? at + 1 : at;
  if (!QUOTES.has(bytes[start] ?? 0)) return at;
  return bytes[start + 1] === 0x5d ? start + 2 : start + 1;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < from + BLANKS_MAX && isIn(IS_BLANK, bytes, at)) at++;
  return at;
}

function valueAt(bytes: Buffer, at: number): Value | undefined {
  const isEscaped = bytes[at] === BACKSLASH;
  const open = isEscaped ? at + 1 : at;
  const quote = bytes[open] ?? 0;
  const isQuoted = QUOTES.has(quote);
  const start = isQuoted ? open + 1 : at;
  let end = start;
  const isEnd = (byte: number): boolean =>
    isQuoted ? byte === quote || byte === 0x0a || byte === 0x0d : ENDS_VALUE[byte] === 1;
  while (end < start + VALUE_BYTES && end < bytes.length && !isEnd(bytes[end] ?? 0)) end++;
  if (isQuoted && bytes[end] !== quote) return undefined;
  // A call or an index follows: it is code.
  if (!isQuoted && (bytes[end] === 0x28 || bytes[end] === 0x5b)) return undefined;
  if (isEscaped && isQuoted) end--;
  return end > start ? { start, end, isQuoted, text: bytes.toString("utf8", start, end) } : undefined;
}

/** `user.password`, `API_KEY` and `createTokenV2Request` in programs. */
const REFERENCE =
  /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+(?:[-+*/]\w+)?$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Za-z][a-z]*(?:\d{0,3}[A-Z][a-z]*)+$|^[$&*!]|=[^=]/;
const PATHS = /^(?:\.{0,2}\/|[a-z]+:\/\/|arn:|[\w-]+\.(?:json|ya?ml|pem|key|txt|js|ts|py|go|rb|java|php|html?|css)$)/i;
const HASHED = /^(?:\$\d\w?\$|\$argon2|\{S?SHA|(?:sha\d+|md5|bcrypt|pbkdf2|scrypt)[:$-])/i;

/** Names of variables, files and hashes are no secrets. */
const isCode = ({ text, isQuoted }: Value): boolean =>
  PATHS.test(text) || HASHED.test(text) || /^[)\],;+]/.test(text) || (!isQuoted && REFERENCE.test(text));

/** At least 8 characters of two kinds, without blanks: a word of a language or a type is none. */
function isPasswordLike({ text, isQuoted }: Value): boolean {
  if (text.length < 8 || text.length > 64 || /\s/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text)).length;
  if (kinds < 2 || isWords(text)) return false;
  return (/\d/.test(text) || kinds >= 3) && (isQuoted || kinds >= 2);
}

/** Parts of letters with separators, such as `my-service-token`, also with a number. */
const isWords = (text: string): boolean => /^[A-Za-z]{2,}(?:[ _.:/-]+(?:[A-Za-z]{2,}|v?\d{1,6}))*$/.test(text);

/** Parts of a letters and a number, such as `x-aws-ec2-metadata-token`. */
const isName = (text: string): boolean =>
  /[-_.:/]/.test(text) && text.split(/[-_.:/]+/).every((part) => /^(?:[A-Za-z]{1,14}\d{0,3}|\d{0,4})$/.test(part));

const KEY_TEXT = /^[\w+/=.~:%-]{16,200}$/;
const HEX = /^[0-9a-f]+$/i;

function isKeyLike(text: string): boolean {
  if (!KEY_TEXT.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text) || isName(text)) return false;
  return entropyOf(text) >= (HEX.test(text) ? 2.9 : 3.4);
}
