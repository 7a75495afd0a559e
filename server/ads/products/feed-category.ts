/** The id and name of a line of Google's taxonomy file: `187 - Apparel & Accessories > Shoes`. */
const TAXONOMY_ID = /^\d+ - /;
const NUMBER_ALONE = /^\d+$/;

/** Shop software often escapes a path for XML although the feed is not XML, or is escaped as a whole. */
const unescaped = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("&gt;", ">");

/**
 * Converts a category path `Shoes > Boots` to levels joined by `>`. Null if there is none: the number of a category
 * alone is not one, because the names of Google's taxonomy are not known here.
 */
export function categoryPath(text: string | null): string | null {
  const levels = unescaped(text ?? "")
    .replace(TAXONOMY_ID, "")
    .split(">");
  const path = levels
    .map((level) => level.trim())
    .filter(Boolean)
    .join(">");
  return path === "" || NUMBER_ALONE.test(path) ? null : path;
}
