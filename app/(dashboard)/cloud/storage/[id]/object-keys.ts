/** The folders above a prefix such as `a/b/`, outermost first: `a/` and `a/b/`. */
export function foldersOf(prefix: string): { name: string; prefix: string }[] {
  const names = prefix.split("/").slice(0, -1);
  return names.map((name, i) => ({ name: name || "/", prefix: `${names.slice(0, i + 1).join("/")}/` }));
}

/** What a key or a common prefix is called below `prefix`. */
export const nameBelow = (key: string, prefix: string): string => key.slice(prefix.length) || key;

const KEY_BYTES_MAX = 1024;

/** Why a key cannot be stored; undefined if it can. */
export function keyProblem(key: string): string | undefined {
  if (new TextEncoder().encode(key).length > KEY_BYTES_MAX) {
    return `Its name with the folders before it has more than ${KEY_BYTES_MAX} bytes.`;
  }
  return key.includes("\0") ? "Its name has a NUL character." : undefined;
}

const PREVIEWS: [RegExp, Preview][] = [
  [/^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)\b/, "image"],
  [/^(text\/|application\/(json|xml|yaml|toml|javascript|x-ndjson|sql|x-sh)\b|.+\+(json|xml)\b)/, "text"],
];

export type Preview = "image" | "text";

/** How an object can be shown in the page; undefined: only as a download. */
export const previewOf = (contentType: string): Preview | undefined =>
  PREVIEWS.find(([pattern]) => pattern.test(contentType.trim().toLowerCase()))?.[1];
