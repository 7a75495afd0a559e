import { SaxesParser, type SaxesTagNS } from "saxes";
import { BrokenFeed, type FeedLine, LINE_BYTES_MAX, lineTooLong } from "./feed-line";

const MERCHANT = "http://base.google.com/ns/1.0";
/** RSS 2.0 has no namespace; RSS 1.0 and Atom have these. */
const PLAIN = new Set(["", "http://purl.org/rss/1.0/", "http://www.w3.org/2005/Atom"]);
const ITEM_NAMES = new Set(["item", "entry"]);
const DEPTH_MAX = 32;
const UTF8 = /^(utf-?8|us-ascii)$/i;

interface Item {
  line: number;
  depth: number;
  size: number;
  fields: Record<string, unknown>;
  /** Attributes that came as `g:…`, which win over the plain RSS element of the same name. */
  merchant: Set<string>;
}

/** The items of an RSS feed or the entries of an Atom feed, by Merchant attribute name. */
export async function* xmlLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FeedLine> {
  const reader = new ItemReader();
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield* reader.read(decoder.decode(chunk, { stream: true }));
  yield* reader.end(decoder.decode());
}

/** Holds one item at a time; entities beyond XML's five and document types are refused, so nothing can expand. */
class ItemReader {
  readonly #parser = new SaxesParser({ xmlns: true, additionalNamespaces: { g: MERCHANT } });
  #found: FeedLine[] = [];
  #depth = 0;
  #item: Item | undefined;
  #text = "";
  #parts = emptyFields<string>();
  #sinceTag = 0;
  #tagLine = 1;

  constructor() {
    const parser = this.#parser;
    parser.on("error", (error) => this.#refuse(error.message.replace(/^\d+:\d+: /, "")));
    parser.on("doctype", () => this.#refuse("a document type is not accepted"));
    parser.on("xmldecl", ({ encoding }) => {
      if (encoding && !UTF8.test(encoding)) this.#refuse(`expected UTF-8, not ${encoding.slice(0, 40)}`);
    });
    parser.on("opentagstart", () => {
      this.#tagLine = parser.line;
    });
    parser.on("opentag", (tag) => this.#open(tag));
    parser.on("closetag", (tag) => this.#close(tag));
    parser.on("text", (text) => this.#append(text));
    parser.on("cdata", (text) => this.#append(text));
  }

  read(text: string): FeedLine[] {
    this.#sinceTag += text.length;
    this.#parser.write(text);
    // The parser keeps whatever lies between two tags, so that is what has to be bounded.
    if (this.#sinceTag > LINE_BYTES_MAX) this.#refuse("no tag for more than 1 MiB");
    const found = this.#found;
    this.#found = [];
    return found;
  }

  end(text: string): FeedLine[] {
    const found = this.read(text);
    this.#parser.close();
    return found;
  }

  #refuse(why: string): never {
    const line = this.#parser.line;
    throw new BrokenFeed("broken_xml", `The XML cannot be read at line ${line}: ${why}.`, line);
  }

  #open(tag: SaxesTagNS): void {
    this.#sinceTag = 0;
    this.#depth++;
    if (this.#depth > DEPTH_MAX) this.#refuse(`elements are nested deeper than ${DEPTH_MAX}`);
    const item = this.#item;
    if (!item) {
      if (ITEM_NAMES.has(tag.local)) {
        this.#item = { line: this.#tagLine, depth: this.#depth, size: 0, fields: emptyFields(), merchant: new Set() };
      }
      return;
    }
    item.size += tag.name.length;
    this.#text = "";
    if (this.#depth !== item.depth + 1) return;
    this.#parts = emptyFields();
    // Atom's link stands in an attribute; its other relations lead elsewhere.
    const { href, rel } = tag.attributes;
    if (tag.local === "link" && href && (rel?.value ?? "alternate") === "alternate") this.#text = href.value;
  }

  #close(tag: SaxesTagNS): void {
    this.#sinceTag = 0;
    const item = this.#item;
    const level = item ? this.#depth - item.depth : -1;
    this.#depth--;
    if (!item || level > 2) return;
    if (level === 2) this.#parts[tag.local] = this.#text.trim();
    else if (level === 1) this.#keep(item, tag);
    else this.#finish(item);
    this.#text = "";
  }

  #append(text: string): void {
    const item = this.#item;
    if (!item) return;
    item.size += text.length;
    if (item.size <= LINE_BYTES_MAX) this.#text += text;
  }

  #keep({ fields, merchant, size }: Item, tag: SaxesTagNS): void {
    if (size > LINE_BYTES_MAX) return;
    const isMerchant = tag.uri.replace(/^https:/, "http:").replace(/\/$/, "") === MERCHANT;
    if (!isMerchant && !PLAIN.has(tag.uri)) return;
    const value = Object.keys(this.#parts).length > 0 ? this.#parts : this.#text.trim();
    if (value === "") return;
    if (tag.local === "product_detail") {
      const before = fields[tag.local];
      if (Array.isArray(before)) before.push(value);
      else fields[tag.local] = [value];
      return;
    }
    // Of repeated elements the first counts, which is how Merchant reads single-valued attributes.
    if (Object.hasOwn(fields, tag.local) && (!isMerchant || merchant.has(tag.local))) return;
    if (isMerchant) merchant.add(tag.local);
    fields[tag.local] = value;
  }

  #finish({ line, size, fields }: Item): void {
    if (fields.summary !== undefined) fields.description ??= fields.summary;
    this.#item = undefined;
    this.#found.push(size > LINE_BYTES_MAX ? { line, problem: lineTooLong } : { line, fields });
  }
}

/** Without a prototype, so that an element may be called anything. */
const emptyFields = <T = unknown>(): Record<string, T> => Object.create(null) as Record<string, T>;
