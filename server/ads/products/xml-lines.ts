import { SaxesParser, type SaxesTagNS } from "saxes";
import { ROW_LIMITS } from "./feed-limits";
import { BrokenFeed, type FeedLine, type LineProblem, lineTooLong } from "./feed-line";

const MERCHANT = "http://base.google.com/ns/1.0";
/** RSS 2.0 has no namespace; RSS 1.0 and Atom have these. */
const PLAIN = new Set(["", "http://purl.org/rss/1.0/", "http://www.w3.org/2005/Atom"]);
const ITEM_NAMES = new Set(["item", "entry"]);
const { attributesMax, bytesMax, depthMax, valuesMax } = ROW_LIMITS;
const tooComplex: LineProblem = {
  code: "too_complex",
  message: `expected at most ${valuesMax} elements in one product`,
};

interface Item {
  line: number;
  depth: number;
  size: number;
  elements: number;
  fields: Record<string, unknown>;
  /** Attributes with the `g:` prefix, which take precedence over plain RSS elements of the same name. */
  merchant: Set<string>;
}

/** The items of an RSS feed or the entries of an Atom feed, by Merchant attribute name. */
export async function* xmlLines(texts: AsyncIterable<string>): AsyncGenerator<FeedLine> {
  const reader = new ItemReader();
  for await (const text of texts) yield* reader.read(text);
  yield* reader.end();
}

/** Keeps one item in memory at a time. Custom entities and document types are rejected, so that nothing can expand. */
class ItemReader {
  readonly #parser = new SaxesParser({ xmlns: true, additionalNamespaces: { g: MERCHANT } });
  readonly #found: FeedLine[] = [];
  #depth = 0;
  #item: Item | undefined;
  #text = "";
  #parts = emptyFields<string>();
  #sinceTag = 0;
  #tagLine = 1;
  #attributes = 0;
  #elementsBetween = 0;

  constructor() {
    const parser = this.#parser;
    parser.on("error", (error) => this.#fail(error.message.replace(/^\d+:\d+: /, "")));
    parser.on("doctype", () => this.#fail("a document type is not accepted"));
    parser.on("opentagstart", () => {
      this.#tagLine = parser.line;
      this.#attributes = 0;
    });
    parser.on("attribute", () => {
      if (++this.#attributes > attributesMax) this.#fail(`an element has more than ${attributesMax} attributes`);
    });
    parser.on("opentag", (tag) => this.#open(tag));
    parser.on("closetag", (tag) => this.#close(tag));
    parser.on("text", (text) => this.#append(text));
    parser.on("cdata", (text) => this.#append(text));
  }

  /** Yields the items that the text completes; throws an error only after the items before it. */
  *read(text: string): Generator<FeedLine> {
    try {
      this.#sinceTag += text.length;
      this.#parser.write(text);
      // The parser buffers everything between two tags, so that size is limited.
      if (this.#sinceTag > bytesMax) this.#fail("no tag for more than 1 MiB");
    } finally {
      yield* this.#found.splice(0);
    }
  }

  *end(): Generator<FeedLine> {
    yield* this.read("");
    this.#parser.close();
  }

  #fail(why: string): never {
    const line = this.#parser.line;
    throw new BrokenFeed("broken_xml", `The XML is invalid at line ${line}: ${why}.`, line);
  }

  #open(tag: SaxesTagNS): void {
    this.#sinceTag = 0;
    this.#depth++;
    if (this.#depth > depthMax) this.#fail(`elements are nested deeper than ${depthMax}`);
    const item = this.#item;
    if (!item) {
      if (++this.#elementsBetween > valuesMax) this.#fail(`more than ${valuesMax} elements without a product`);
      if (ITEM_NAMES.has(tag.local)) {
        const counts = { line: this.#tagLine, depth: this.#depth, size: 0, elements: 0 };
        this.#item = { ...counts, fields: emptyFields(), merchant: new Set() };
      }
      return;
    }
    item.size += tag.name.length;
    item.elements++;
    this.#text = "";
    if (this.#depth !== item.depth + 1) return;
    this.#parts = emptyFields();
    // Atom's link is an attribute; links with other relations do not lead to the product.
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
    if (item.size <= bytesMax) this.#text += text;
  }

  #keep({ fields, merchant, size, elements }: Item, tag: SaxesTagNS): void {
    if (size > bytesMax || elements > valuesMax) return;
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
    // The first of repeated elements wins, as in Google Merchant for single-valued attributes.
    if (Object.hasOwn(fields, tag.local) && (!isMerchant || merchant.has(tag.local))) return;
    if (isMerchant) merchant.add(tag.local);
    fields[tag.local] = value;
  }

  #finish({ line, size, elements, fields }: Item): void {
    if (fields.summary !== undefined) fields.description ??= fields.summary;
    this.#item = undefined;
    this.#elementsBetween = 0;
    const problem = size > bytesMax ? lineTooLong : elements > valuesMax ? tooComplex : undefined;
    this.#found.push(problem ? { line, problem } : { line, fields });
  }
}

/** No prototype, so that an element may have any name. */
const emptyFields = <T = unknown>(): Record<string, T> => Object.create(null) as Record<string, T>;
