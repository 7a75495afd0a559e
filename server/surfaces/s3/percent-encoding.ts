/** Percent-encodes the UTF-8 bytes of a text except for `A-Z a-z 0-9 - . _ ~`, as Signature Version 4 requires. */
export const encodeText = (text: string): string => encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);

/** The same, with slashes as they are: keys in paths, and lists with `encoding-type=url`. */
export const encodePath = (path: string): string => encodeText(path).replaceAll("%2F", "/");

/** The decoded text; undefined if an escape is incomplete or the bytes are not UTF-8. */
export function decodeText(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const encodeCharacter = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
