import { quoted } from "./model-errors";

/** A header has tensors with lists. */
const DEPTH_MAX = 3;
/** Three of each tensor, and those of the metadata. */
const KEYS_MAX = 600_000;

/**
 * What makes a JSON text a bad header, as the end of a sentence, or undefined: an object with a key twice, of which
 * JSON.parse would keep the last, and what would need much memory when it is parsed. The text may also be no JSON.
 */
export function findJsonFault(json: string): string | undefined {
  const scopes: Scope[] = [];
  let keys = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === "{" || char === "[") scopes.push({ keys: new Set(), key: "" });
    else if (char === "}" || char === "]") scopes.pop();
    if (scopes.length > DEPTH_MAX) return "has more levels than tensors with their fields";
    if (char !== '"') continue;
    const end = endOfString(json, at);
    const scope = scopes.at(-1);
    if (scope && isKeyBefore(json, end)) {
      scope.key = textOf(json.slice(at, end));
      if (scope.keys.has(scope.key)) return `has the key ${scopes.map(({ key }) => quoted(key)).join(" / ")} twice`;
      scope.keys.add(scope.key);
      if (++keys > KEYS_MAX) return `has more than ${KEYS_MAX} keys`;
    }
    at = end - 1;
  }
  return undefined;
}

interface Scope {
  keys: Set<string>;
  /** The last one. */
  key: string;
}

/** The position after the closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}

function isKeyBefore(json: string, end: number): boolean {
  let at = end;
  while (at < json.length && " \t\r\n".includes(json[at] ?? "")) at++;
  return json[at] === ":";
}

/** The text of a string; of an invalid one its source, as the whole text is then refused anyway. */
function textOf(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal);
  } catch {
    return literal;
  }
}
