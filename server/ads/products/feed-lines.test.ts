import { describe, expect, it } from "vitest";
import { csvLines } from "./csv-lines";
import { ROW_LIMITS } from "./feed-limits";
import { BrokenFeed, type FeedLine } from "./feed-line";
import { feedText } from "./feed-text";
import { ndjsonLines } from "./ndjson-lines";
import { xmlLines } from "./xml-lines";

const LINE_BYTES_MAX = ROW_LIMITS.bytesMax;

type Reader = (texts: AsyncIterable<string>) => AsyncIterable<FeedLine>;
const csv: Reader = (texts) => csvLines(texts, ",");

/** The lines of a text that arrives `step` bytes at a time. */
async function linesIn(reader: Reader, text: string, step = 65_536): Promise<FeedLine[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  }
  const lines: FeedLine[] = [];
  const { texts } = await feedText(chunks(), undefined);
  for await (const line of reader(texts)) lines.push(line);
  return lines;
}

async function breakIn(reader: Reader, text: string): Promise<BrokenFeed> {
  const cause: unknown = await linesIn(reader, text).catch((error: unknown) => error);
  if (cause instanceof BrokenFeed) return cause;
  throw new Error(`expected the feed to break, got ${JSON.stringify(cause)}`);
}

const item = (inner: string) => `<item>${inner}</item>`;
const rss = (items: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n<title>Shop</title>\n${items}\n</channel>\n</rss>\n`;

describe("every format", () => {
  it.each<[string, Reader, string]>([
    ["NDJSON", ndjsonLines, '\uFEFF{"id":"1","title":"Bööt 😀"}\r\n\r\n{"id":"2"}\nnot json\n'],
    ["CSV", csv, '\uFEFFid,title,link\r\n1,"Bööt 😀\r\nsecond",l\r\n\r\n2,"a ""b""",l\r\n3,x\r\n'],
    [
      "XML",
      xmlLines,
      rss(`${item("<g:id>1</g:id>\n<title>Bööt 😀 &amp; <![CDATA[<b>]]></title>")}\n${item("<g:id>2</g:id>")}`),
    ],
  ])("%s reads the same in whatever pieces it arrives", async (_, reader, text) => {
    const whole = await linesIn(reader, text);
    expect(whole.length).toBeGreaterThan(1);
    for (const step of [1, 2, 3, 7]) expect(await linesIn(reader, text, step)).toEqual(whole);
  });
});

describe("NDJSON", () => {
  it("counts blank lines, and reports the line of a value that is not an object", async () => {
    expect(await linesIn(ndjsonLines, '{"id":1}\n\n[1]\n"x"\nnull\n{"id":\n{"id":2}')).toMatchObject([
      { line: 1, fields: { id: 1 } },
      { line: 3, problem: { code: "invalid_json" } },
      { line: 4, problem: { code: "invalid_json" } },
      { line: 5, problem: { code: "invalid_json" } },
      { line: 6, problem: { code: "invalid_json" } },
      { line: 7, fields: { id: 2 } },
    ]);
  });

  it("skips a line of more than 1 MiB and continues after it", async () => {
    const fits = `{"id":"${"x".repeat(LINE_BYTES_MAX - 9)}"}`;
    expect(fits).toHaveLength(LINE_BYTES_MAX);
    expect(await linesIn(ndjsonLines, `${fits}\n${fits} \n{"id":1}\n`)).toMatchObject([
      { line: 1, fields: {} },
      { line: 2, problem: { code: "line_too_long" } },
      { line: 3, fields: { id: 1 } },
    ]);
  });
});

describe("CSV", () => {
  it("reports the line where each row begins, even if quoted values span lines", async () => {
    const text = 'title,id,link\r\n"a\r\nb\r\nc",1,l\r\n\r\nd,2,l\r\n"e\nf",3\r\ng,4,l';
    expect(await linesIn(csv, text)).toMatchObject([
      { line: 2, fields: { title: "a\nb\nc", id: "1" } },
      { line: 6, fields: { title: "d", id: "2" } },
      { line: 7, problem: { code: "column_count", message: expect.stringContaining("expected 3") } },
      { line: 9, fields: { title: "g", id: "4" } },
    ]);
  });

  it("accepts Merchant's spellings of headings, and treats an empty value as missing", async () => {
    const text = "G:ID,Title,link,Image Link,product_detail(section:name:value)\n1,T,l,,a:b:c\n";
    expect(await linesIn(csv, text)).toEqual([
      { line: 2, fields: { id: "1", title: "T", link: "l", product_detail: "a:b:c" } },
    ]);
  });

  it("keeps a quotation mark inside a value", async () => {
    expect(await linesIn(csv, 'id,title,link\n1,15" screen,l\n')).toMatchObject([{ fields: { title: '15" screen' } }]);
  });

  it("fails on a header without id, title or link", async () => {
    expect(await breakIn(csv, "sku,title\n1,T\n")).toMatchObject({
      reason: "broken_csv",
      line: 1,
      message: "The header does not have the required columns: id, link.",
    });
  });

  it("fails where a quoted value is not closed", async () => {
    expect(await breakIn(csv, 'id,title,link\n1,T,l\n2,"T,l\n3,T,l\n')).toMatchObject({
      reason: "broken_csv",
      line: 3,
    });
    const endless = `id,title,link\n1,T,l\n2,"${"x\n".repeat(LINE_BYTES_MAX)}`;
    expect(await breakIn(csv, endless)).toMatchObject({ reason: "broken_csv", line: 3 });
  });
});

describe("XML", () => {
  it("prefers g: attributes, reads details as a list, and takes the first of repeated elements", async () => {
    const detail = (name: string, value: string) =>
      `<g:product_detail><g:attribute_name>${name}</g:attribute_name><g:attribute_value>${value}</g:attribute_value></g:product_detail>`;
    const inner = `<title>Plain</title><g:title>Boot &#38; sock</g:title><link>https://shop.example/1</link>
      <g:id>1</g:id><g:product_type>A</g:product_type><g:product_type>B</g:product_type>
      ${detail("colour", "red")}${detail("size", "43")}<media:title xmlns:media="urn:m">No</media:title><g:brand/>`;
    expect(await linesIn(xmlLines, rss(item(inner)))).toEqual([
      {
        line: 5,
        fields: {
          title: "Boot & sock",
          link: "https://shop.example/1",
          id: "1",
          product_type: "A",
          product_detail: [
            { attribute_name: "colour", attribute_value: "red" },
            { attribute_name: "size", attribute_value: "43" },
          ],
        },
      },
    ]);
  });

  it("reads Atom entries, whose link is an attribute", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">
      <entry><g:id>1</g:id><title>T</title><link rel="self" href="https://shop.example/self"/><link href="https://shop.example/1"/><summary>S</summary></entry></feed>`;
    expect(await linesIn(xmlLines, atom)).toMatchObject([
      { line: 2, fields: { id: "1", title: "T", link: "https://shop.example/1", description: "S" } },
    ]);
  });

  it("reads an undeclared g: prefix as Merchant's", async () => {
    expect(await linesIn(xmlLines, "<rss><channel><item><g:id>1</g:id></item></channel></rss>")).toMatchObject([
      { fields: { id: "1" } },
    ]);
  });

  it("accepts any element name", async () => {
    const inner = "<__proto__>x</__proto__><g:id>1</g:id><g:__proto__><g:title>y</g:title></g:__proto__>";
    const [line] = await linesIn(xmlLines, rss(item(inner)));
    expect(line && "fields" in line && line.fields.title).toBeUndefined();
  });

  it.each([
    ["a document type", '<!DOCTYPE rss [<!ENTITY a "aaaa">]>\n<rss/>', { line: 1, why: "document type" }],
    ["a document type that never ends", `<!DOCTYPE ${"a".repeat(2 * LINE_BYTES_MAX)}`, { line: 1, why: "1 MiB" }],
    ["an unknown entity", rss(item("\n<title>&nbsp;</title>")), { line: 6, why: "entity" }],
    ["elements that do not close", rss("<item>\n<title>x</item>"), { line: 6, why: "close tag" }],
    ["an end in the middle", "<rss>\n<channel>\n<item>", { line: 3, why: "unclosed" }],
    ["text outside the root", "hello", { line: 1, why: "text" }],
    ["nothing at all", "", { line: 1, why: "root" }],
    ["a hundred levels", "<a>".repeat(100), { line: 1, why: "nested" }],
    ["a comment that never ends", `<rss><!-- ${"x".repeat(2 * LINE_BYTES_MAX)}`, { line: 1, why: "1 MiB" }],
    ["an attribute that never ends", `<rss a="${"x".repeat(2 * LINE_BYTES_MAX)}`, { line: 1, why: "1 MiB" }],
    ["an unknown prefix", "<rss><h:a/></rss>", { line: 1, why: "prefix" }],
  ])("breaks on %s and names the line", async (_, text, { line, why }) => {
    const broken = await breakIn(xmlLines, text);
    expect(broken).toMatchObject({ reason: "broken_xml", line });
    expect(broken.message).toContain(why);
  });

  it("skips an item of more than 1 MiB and continues after it", async () => {
    const big = item(`<g:id>1</g:id>${`<title>${"x".repeat(100_000)}</title>`.repeat(11)}`);
    expect(await linesIn(xmlLines, rss(`${big}\n${item("<g:id>2</g:id>")}`))).toMatchObject([
      { line: 5, problem: { code: "line_too_long" } },
      { line: 6, fields: { id: "2" } },
    ]);
  });
});
