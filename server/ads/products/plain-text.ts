import { HTML_ENTITIES } from "./html-entities";

const ENTITY = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,7});/g;
/** A section is text as it is, so that only its marks are removed. */
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g;
const FORMATTING = "p|br|b|i|em|strong|span|div|ul|ol|li|h[1-6]|u|small|sup|sub|table|tbody|thead|tr|td|th|font|a|hr";
const TAG = new RegExp(`</?(?:${FORMATTING})(?:\\s[^<>]*)?/?>`, "gi");
/** Elements that do not end a word. */
const WITHIN_A_WORD = /^<\/?(?:b|i|em|strong|span|u|small|sup|sub|font|a)\b/i;
/** An entity that was escaped twice, and once more for the format. */
const ROUNDS_MAX = 3;

/**
 * A text of a feed as people read it. Shops often escape a text for HTML before their software escapes it for the
 * format, so what is left of that is decoded: entities, CDATA marks and formatting tags. The result is plain text and
 * may contain any character.
 */
export function plainText(text: string): string {
  let plain = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = plain;
    if (plain.includes("<![CDATA[")) plain = plain.replace(CDATA, "$1");
    if (plain.includes("&")) plain = plain.replace(ENTITY, decoded);
    if (plain === before) break;
  }
  return plain.includes("<") ? withoutTags(plain) : plain;
}

/** A value without CDATA marks, for ids and words that have no entities. */
export const unwrapped = (text: string): string => (text.includes("<![CDATA[") ? text.replace(CDATA, "$1") : text);

/** A URL with `&` for `&amp;`, which no URL contains on purpose, and without CDATA marks. */
export const plainUrl = (text: string): string => unwrapped(text).replaceAll("&amp;", "&");

function withoutTags(text: string): string {
  const plain = text.replace(TAG, (tag) => (WITHIN_A_WORD.test(tag) ? "" : " "));
  return plain === text ? text : plain.replace(/[^\S\n]+/g, " ").trim();
}

function decoded(entity: string, name: string): string {
  if (!name.startsWith("#")) return HTML_ENTITIES.get(name) ?? entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isControl = code < 32 && code !== 9 && code !== 10 && code !== 13;
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isControl || isSurrogate || code > 0x10ffff ? entity : String.fromCodePoint(code);
}
