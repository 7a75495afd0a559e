const WORDS =
  /example|sample|dummy|placeholder|change[_-]?(?:me|it|this)|your[_-]?|my[_-]?(?:secret|password|token|key|api)|insert|replace|redact|masked|hidden|todo|fixme|default|lorem|foobar|not[_-]?(?:set|real|a)|fake|xxx|\*\*\*|\.\.\.|\u2026|here$|^(?:none|null|nil|undefined|true|false|test|string|empty|unset|required|optional)$/i;
/** The name of the setting as its value, also with a number. */
const NAMES =
  /^[a-z]*pass(?:word|wd|phrase)?[-_]?\d{0,4}$|^(?:my[-_]?)?(?:secret|token|key|user(?:name)?|foo|bar|baz|xyz|abc)[-_]?\d{0,4}$/i;
const VARIABLES = /^[<$%{[@]|\$\{|\{\{|\}\}|%\(|\$\(|process\.env|os\.environ|getenv|%[A-Z_]+%/;
const SEQUENCES = [
  "abcdefgh",
  "01234567",
  "12345678",
  "87654321",
  "qwertyui",
  "deadbeef",
  "abc123",
  "0a1b2c3d",
  "a1b2c3d4",
];
/** Long enough not to be in a random text by chance. */
const EXAMPLES = /example|placeholder|redacted|dummy|x{4}|your[_-]|fake[_-]|\*{3}|\.{3}/i;
const REPEATED = /(.)\1{5}/;

/** Whether a text is there instead of a real value: a variable, an example, or the name of the setting. */
export const isPlaceholder = (text: string): boolean =>
  WORDS.test(text) || NAMES.test(text) || VARIABLES.test(text) || isExample(text);

/** Whether a random text is an example: it says so, or has characters in their order or again and again. */
export function isExample(text: string): boolean {
  if (EXAMPLES.test(text) || REPEATED.test(text)) return true;
  const lower = text.toLowerCase();
  return SEQUENCES.some((sequence) => lower.includes(sequence));
}

/** Bits per character after Shannon (1948). */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
