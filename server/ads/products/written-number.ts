/** A number of a JSON feed that JavaScript would write differently: an id beyond 2^53, or the zero in `1.10`. */
export class WrittenNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** The text of a number as the feed has it, or undefined if the value is not a number. */
export const numberText = (value: unknown): string | undefined =>
  typeof value === "number" || value instanceof WrittenNumber ? String(value) : undefined;

/** A string, or a number outside of strings; strings are matched so that nothing within them is. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses JSON like `JSON.parse`, but with a WrittenNumber for each number that would otherwise lose its digits. Throws
 * SyntaxError.
 */
export function parseWritten(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let isChanged = false;
  const quoted = text.replace(TOKEN, (token) => {
    if (token.startsWith('"') || !NUMBER.test(token)) return token;
    isChanged ||= isRewritten(token);
    return `"${token}"`;
  });
  return isChanged ? withWritten(value, JSON.parse(quoted)) : value;
}

const isRewritten = (token: string): boolean => String(Number(token)) !== token;

/** `value` with its numbers as `texts` has them, which is the same value with text in place of its numbers. */
function withWritten(value: unknown, texts: unknown): unknown {
  if (typeof value === "number") {
    const text = String(texts);
    return isRewritten(text) ? new WrittenNumber(text) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => withWritten(item, (texts as unknown[])[i]));
  const fields = texts as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWritten(item, fields[key])]));
}
