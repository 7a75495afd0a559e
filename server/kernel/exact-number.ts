import { randomBytes } from "node:crypto";
import { isRewritten, JSON_NUMBER, markNumbers } from "./mark-numbers";

/**
 * A number of JSON that a double would change, as it was written: an integer beyond 2^53, a decimal with too many
 * digits, 1e400. Values from `parseExact` have it; those from `parseAsWritten` also for every number that JSON.stringify
 * would write in another way. `exactJson` writes it again as it was. A schema that expects a number refuses it; a field
 * that takes any JSON passes it on.
 */
export class ExactNumber {
  /** Its JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether a double is near it, as for a decimal with many digits. An integer has no other that would do. */
  get isRoundable(): boolean {
    return /[.eE]/.test(this.text) && Number.isFinite(Number(this.text));
  }

  /** For JSON by other means than `exactJson`, a text with all digits. */
  toJSON(): string {
    if (!writing) return this.text;
    writing.hasMarks = true;
    return MARK + this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** No text from outside begins with it. */
const MARK = `\0${randomBytes(12).toString("hex")}:`;
const MARK_IN_JSON = JSON.stringify(MARK).slice(0, -1);
/** The call of `exactJson` that runs. */
let writing: { hasMarks: boolean } | undefined;

/**
 * Finds a number that can be one that a double changes: 16 or more digits and points, or an exponent of 3 or more
 * digits. Texts can have what looks like one, which costs only time.
 */
const SUSPECT = /(?:^|[ \t\r\n:,[])-?(?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/;
/** A double keeps every number of fewer characters without an exponent. */
const CHARACTERS_MIN = 16;

/** As JSON.parse, but each number that a double would change is an ExactNumber. */
export function parseExact(json: string): unknown {
  return SUSPECT.test(json) ? parseKeeping(json, isChanged) : JSON.parse(json);
}

/** As JSON.parse, but each number that JSON.stringify would write otherwise is an ExactNumber, such as 1.10. */
export const parseAsWritten = (json: string): unknown => parseKeeping(json, isRewritten);

function parseKeeping(json: string, isKept: (number: string) => boolean): unknown {
  const marked = markNumbers(json, { mark: MARK_IN_JSON, isKept });
  if (marked === json) return JSON.parse(json);
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  );
}

/** As JSON.stringify, but an ExactNumber is written as the number that it was. */
export function exactJson(value: unknown): string {
  const before = writing;
  const own = { hasMarks: false };
  writing = own;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    writing = before;
  }
  if (!own.hasMarks) return json;
  const [first = "", ...parts] = json.split(MARK_IN_JSON);
  return first + parts.map((part) => part.replace('"', "")).join("");
}

/** Whether a double of the number is written as another number. False for what is no number. */
function isChanged(text: string): boolean {
  if (text.length < CHARACTERS_MIN && !/[eE]/.test(text)) return false;
  const given = decimalOf(text);
  return given !== undefined && given !== decimalOf(JSON.stringify(Number(text)));
}

/** A text that two numbers have in common if they are equal, however they are written. */
function decimalOf(text: string): string | undefined {
  const [, sign, whole = "", fraction = "", exponent = "0"] = JSON_NUMBER.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const digits = whole + fraction;
  let [begin, end] = [0, digits.length];
  while (digits[begin] === "0") begin++;
  while (end > begin && digits[end - 1] === "0") end--;
  if (begin === end) return "0";
  return `${sign}${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
