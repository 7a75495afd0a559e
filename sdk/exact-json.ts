/** A number as JSON has it, of which JavaScript has only one near it, or writes it in another way: `1.0`, `1e400`. */
export class WrittenNumber {
  /** Private, so that it is a value without parts. */
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** For `JSON.stringify`; `stringifyJson` writes it as it is. */
  toJSON(): number {
    return Number(this.#text);
  }
}

/** What a text in place of a number begins with, which no text of a response or an input does. */
const MARK = `\0${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16)).join(".")}:`;
const MARK_IN_JSON = JSON.stringify(MARK).slice(0, -1);
const MARKED = new RegExp(`${MARK_IN_JSON.replaceAll("\\", "\\\\")}(-?\\d[\\d.eE+-]*)"`, "g");

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;

/**
 * Parses JSON as `JSON.parse` does, but a whole number of which a `number` does not keep all digits, such as
 * 9007199254740993, becomes a `BigInt`. `stringifyJson` writes it as it was.
 *
 * @throws SyntaxError when it is not JSON.
 */
export function parseJson(text: string): unknown {
  const isChanged = (number: string) =>
    INTEGER.test(number) && !Number.isSafeInteger(Number(number)) && !isKept(number);
  // Numbers with fewer digits are all kept.
  return /\d{16}/.test(text) ? parsed(text, isChanged, BigInt) : JSON.parse(text);
}

/** Parses JSON; a number that JavaScript writes in another way becomes a `WrittenNumber`. @throws SyntaxError. */
export const parseAsWritten = (text: string): unknown =>
  parsed(
    text,
    (number) => !isKept(number),
    (number) => new WrittenNumber(number),
  );

/** The JSON of a value, in which a `BigInt` is a number; `JSON.stringify` throws for one. */
export function stringifyJson(value: unknown, indent?: number): string {
  let isMarked = false;
  const replacer = function (this: unknown, name: string, part: unknown): unknown {
    // What it was before a `toJSON` of others.
    const own = (this as Record<string, unknown>)[name];
    if (typeof own !== "bigint" && !(own instanceof WrittenNumber)) return part;
    isMarked = true;
    return `${MARK}${own}`;
  };
  const text = JSON.stringify(value, replacer, indent);
  return isMarked ? text.replace(MARKED, "$1") : text;
}

/** Whether a `number` is written with the same characters. */
const isKept = (number: string): boolean => String(Number(number)) === number;

function parsed(text: string, isMarked: (number: string) => boolean, read: (number: string) => unknown): unknown {
  const marked = withMarks(text, isMarked);
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_, part: unknown) =>
    typeof part === "string" && part.startsWith(MARK) ? read(part.slice(MARK.length)) : part,
  );
}

/** The JSON with a marked text in place of each number that `isMarked`. What is no JSON stays none. */
function withMarks(json: string, isMarked: (number: string) => boolean): string {
  const parts: string[] = [];
  let copied = 0;
  const begins = /["\d-]/g;
  const run = /[-+\d.eE]+/y;
  const colon = /[ \t\r\n]*:/y;
  for (let found = begins.exec(json); found; found = begins.exec(json)) {
    if (found[0] === '"') {
      begins.lastIndex = endOfString(json, found.index);
      continue;
    }
    run.lastIndex = found.index;
    const [number = ""] = run.exec(json) ?? [];
    const end = found.index + number.length;
    begins.lastIndex = end;
    colon.lastIndex = end;
    // A number in place of a name is not JSON, and would become it.
    if (!JSON_NUMBER.test(number) || colon.test(json) || !isMarked(number)) continue;
    parts.push(json.slice(copied, found.index), MARK_IN_JSON, number, '"');
    copied = end;
  }
  return parts.length === 0 ? json : parts.join("") + json.slice(copied);
}

/** Where the string that begins here has ended. */
function endOfString(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let slashes = end;
    while (json[slashes - 1] === "\\") slashes--;
    if ((end - slashes) % 2 === 0) return end + 1;
  }
  return json.length;
}
