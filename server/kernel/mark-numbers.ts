/** A number of JSON: sign, digits, fraction, exponent. */
export const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const RUN = /[-+\d.eE]+/y;
const KEY_FOLLOWS = /[ \t\r\n]*:/y;
/** JSON.stringify writes shorter integers as they were. */
const INTEGER_CHARACTERS_MAX = 15;

interface Marking {
  /** What texts in place of numbers begin with, as JSON with its opening quote. No text from outside begins so. */
  mark: string;
  isKept: (number: string) => boolean;
}

/** The JSON with a marked text in place of each number for which `isKept`, in linear time. What is no JSON stays none. */
export function markNumbers(json: string, { mark, isKept }: Marking): string {
  const parts: string[] = [];
  let copied = 0;
  const begins = /["\d-]/g;
  for (let found = begins.exec(json); found; found = begins.exec(json)) {
    const at = found.index;
    if (found[0] === '"') {
      begins.lastIndex = endOfText(json, at);
      continue;
    }
    RUN.lastIndex = at;
    const [run = ""] = RUN.exec(json) ?? [];
    const end = at + run.length;
    begins.lastIndex = end;
    KEY_FOLLOWS.lastIndex = end;
    if (!isKept(run) || KEY_FOLLOWS.test(json)) continue;
    parts.push(json.slice(copied, at), `${mark}${run}"`);
    copied = end;
  }
  return parts.length === 0 ? json : parts.join("") + json.slice(copied);
}

/** Whether JSON.stringify writes a number with other characters, as 9007199254740993 and 1.0. False for what is no number. */
export function isRewritten(text: string): boolean {
  if (text.length <= INTEGER_CHARACTERS_MAX && /^(?:0|-?[1-9]\d*)$/.test(text)) return false;
  return JSON_NUMBER.test(text) && String(Number(text)) !== text;
}

/** The position after the closing quote. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}
