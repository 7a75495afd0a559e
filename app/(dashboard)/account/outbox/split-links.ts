const LINK = /https?:\/\/[^\s<>"']+/g;

/** A text cut where http(s) links begin and end, so that a page can show them as links without reading HTML. */
export function splitLinks(text: string): { at: number; text: string; isLink: boolean }[] {
  const parts: { at: number; text: string; isLink: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    if (match.index > end) parts.push({ at: end, text: text.slice(end, match.index), isLink: false });
    parts.push({ at: match.index, text: match[0], isLink: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end), isLink: false });
  return parts;
}
