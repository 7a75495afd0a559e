/** An element of an XML document, without attributes. */
export interface XmlElement {
  name: string;
  /** The text directly in it. */
  text: string;
  children: XmlElement[];
}

const TOKEN = /<\?.*?\?>|<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<(\/?)([\w:.-]+)[^>]*?(\/?)>|([^<]+)/gs;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Parses a response of an S3 endpoint. @throws Error for anything but one complete element. */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: "", text: "", children: [] };
  const open = [root];
  for (const [, cdata, slash, name, empty, plain] of text.matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (plain !== undefined) parent.text += decode(plain);
    if (cdata !== undefined) parent.text += cdata;
    if (name === undefined) continue;
    if (slash) {
      if (open.pop()?.name !== name) throw new Error(`The response is not XML: </${name}> has no start.`);
      continue;
    }
    const element = { name, text: "", children: [] };
    parent.children.push(element);
    if (!empty) open.push(element);
  }
  const [only] = root.children;
  if (!only || open.length !== 1) throw new Error("The response is not a complete XML document.");
  return only;
}

const decode = (text: string): string =>
  text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(Number(name.slice(1).replace(/^x/i, "0x")));
  });

export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The text of the first child with this name; empty without one. */
export const textOf = (element: XmlElement, name: string): string => childrenOf(element, name)[0]?.text ?? "";

const ESCAPES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };

/** Text as the content of an element; control characters become references, as in S3's own clients. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[<>&"]/g, (one) => ESCAPES[one] ?? one)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be escaped.
    .replace(/[\u0000-\u001f]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`);
