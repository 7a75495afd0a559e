import { SaxesParser } from "saxes";
import { utf8Fault } from "../../kernel/strict-text";
import { S3Error } from "./s3-error";

/** The deepest document of S3 has 5 levels. */
const DEPTH_MAX = 8;
/** 10,000 parts with 8 elements each; nothing in S3 has more. */
const ELEMENTS_MAX = 100_000;
const BYTE_ORDER_MARK = /^\ufeff/;

/** An element without its namespace prefix, and of its attributes only the one that says its type. */
export interface XmlElement {
  name: string;
  /** The value of `xsi:type`, without the prefix. */
  type?: string;
  /** Text directly in it. */
  text: string;
  children: XmlElement[];
}

/**
 * Parses a document whose root has the given name. Document types and entities of its own are rejected; `MalformedXML`
 * says what is wrong and where.
 */
export function readXml(bytes: Buffer, rootName: string): XmlElement {
  const root: XmlElement = { name: "", text: "", children: [] };
  const open = [root];
  let count = 0;
  const parser = new SaxesParser({ position: true });
  const fail = (message: string): never => {
    throw new S3Error("MalformedXML", `The XML of the request body cannot be read: ${message}`);
  };
  parser.on("error", ({ message }) => fail(message.slice(0, 200)));
  parser.on("doctype", () => fail("a document type is not allowed."));
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length > DEPTH_MAX || ++count > ELEMENTS_MAX) fail("it has too many elements or levels.");
    const type = String(attributes["xsi:type"] ?? "").replace(/^[^:]*:/, "");
    const element = { name: name.slice(name.indexOf(":") + 1), text: "", children: [], ...(type && { type }) };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const append = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => void open.pop());
  const fault = utf8Fault(bytes);
  if (fault !== undefined) fail(`the byte at offset ${fault} is not UTF-8.`);
  parser.write(bytes.toString("utf8").replace(BYTE_ORDER_MARK, "")).close();
  const [document] = root.children;
  if (document?.name !== rootName) return fail(`expected the root element ${rootName}.`);
  return document;
}

export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The trimmed text of the first child with this name; undefined if there is none. */
export const textIn = (element: XmlElement, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text.trim();
