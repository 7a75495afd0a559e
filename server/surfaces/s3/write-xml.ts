const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys may contain control characters.
const SPECIAL = /[&<>"\u0000-\u001f\u007f\ufffe\uffff]/g;
const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A piece of a document, already escaped. */
export interface Xml {
  readonly xml: string;
}

/** Text is escaped; undefined is left out. */
export type XmlContent = Xml | readonly Xml[] | string | number | boolean | undefined;

/** An element with text or elements in it. */
export const tag = (name: string, ...contents: readonly XmlContent[]): Xml => ({
  xml: `<${name}>${contents.map(textOf).join("")}</${name}>`,
});

/** An element that is left out if its text is undefined. */
export const optionalTag = (name: string, text: string | number | boolean | undefined): readonly Xml[] =>
  text === undefined ? [] : [tag(name, text)];

/** A whole document in the namespace of S3. */
export const xmlDocument = (name: string, ...contents: readonly XmlContent[]): string =>
  `${DECLARATION}<${name} xmlns="${NAMESPACE}">${contents.map(textOf).join("")}</${name}>`;

/** A document without a namespace: the errors of S3 have none. */
export const plainXmlDocument = (root: Xml): string => DECLARATION + root.xml;

/** A grantee has its type as an attribute; `attributes` must need no escaping. */
export const tagWith = (name: string, attributes: string, ...contents: readonly XmlContent[]): Xml => ({
  xml: `<${name} ${attributes}>${contents.map(textOf).join("")}</${name}>`,
});

function textOf(content: XmlContent): string {
  if (content === undefined) return "";
  if (typeof content === "string") return escaped(content);
  if (typeof content === "number" || typeof content === "boolean") return String(content);
  return "xml" in content ? content.xml : content.map(({ xml }) => xml).join("");
}

/** Characters that XML cannot contain become character references, as S3 writes them; line ends survive parsers so. */
const escaped = (text: string): string =>
  text.replace(SPECIAL, (character) => NAMED[character] ?? `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`);
