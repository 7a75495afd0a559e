/**
 * The path of the first key that an object of a valid JSON text has twice, or undefined. JSON.parse keeps the last of
 * equal keys silently.
 */
export function findDuplicateKey(json: string): string[] | undefined {
  const scopes: Scope[] = [];
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === "{" || char === "[") scopes.push({ keys: new Set(), key: "" });
    else if (char === "}" || char === "]") scopes.pop();
    else if (char === '"') {
      const end = endOfString(json, at);
      const scope = scopes.at(-1);
      if (scope && isKeyBefore(json, end)) {
        scope.key = JSON.parse(json.slice(at, end));
        if (scope.keys.has(scope.key)) return scopes.map(({ key }) => key);
        scope.keys.add(scope.key);
      }
      at = end - 1;
    }
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
