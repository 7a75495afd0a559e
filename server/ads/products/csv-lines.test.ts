import { describe, expect, it } from "vitest";
import type { Delimiter } from "./csv-header";
import { csvLines } from "./csv-lines";
import { BrokenFeed, type FeedLine } from "./feed-line";
import { readProduct } from "./feed-product";

async function linesIn(text: string, usual: Delimiter = ",", step = 7): Promise<FeedLine[]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step);
  }
  const lines: FeedLine[] = [];
  for await (const line of csvLines(pieces(), usual)) lines.push(line);
  return lines;
}

const fieldsIn = async (text: string, usual?: Delimiter) =>
  (await linesIn(text, usual)).map((line) =>
    "fields" in line ? [line.line, ...Object.values(line.fields)] : [line.line, line.problem.code],
  );

describe("the delimiter", () => {
  it.each([
    ["a semicolon", "id;title;link\n1;A, B;l\n"],
    ["a semicolon between quotation marks", '"id";"title";"link"\n"1";"A, B";"l"\n'],
    ["a bar", "id|title|link\n1|A, B|l\n"],
    ["a tab", "id\ttitle\tlink\n1\tA, B\tl\n"],
    ["what Excel states", "sep=;\nid;title;link\n1;A, B;l\n"],
    ["a comma", 'id,title,link\n1,"A, B",l\n'],
    ["a comma beside semicolons in headings", 'id,title,link,"a;b;c;d"\n1,"A, B",l,\n'],
  ])("is %s, regardless of the media type", async (_, text) => {
    for (const usual of [",", "\t"] as const)
      expect((await fieldsIn(text, usual)).map((row) => row.slice(1))).toEqual([["1", "A, B", "l"]]);
  });

  it("of decimals is a comma or a point in a file of semicolons too, and what can be both is rejected", async () => {
    const prices = ["49,95 EUR", "1.299,00 EUR", "1 299,00 €", "1299.00 EUR", "1,299 EUR", "1.299 EUR"];
    const rows = prices.map((price, i) => `${i};T;https://shop.example/${i};${price}`);
    const lines = await linesIn(["id;title;link;price", ...rows].join("\n"));
    const read = lines.map((line) => ("fields" in line ? readProduct(line.fields) : line.problem));
    expect(read.map((product) => ("code" in product ? product.code : product.price))).toEqual([
      "49.95",
      "1299.00",
      "1299.00",
      "1299.00",
      "ambiguous_price",
      "ambiguous_price",
    ]);
  });
});

describe("above the header", () => {
  it("comments of a template, blank lines and a byte order mark are skipped, and lines are counted", async () => {
    const text =
      "\uFEFF# Required | A unique id,# Required | A title\r\n\r\n# more\r\nid,title,link\r\n1,T,l\r\n2,T\r\n";
    expect(await fieldsIn(text)).toEqual([
      [5, "1", "T", "l"],
      [6, "column_count"],
    ]);
  });

  it.each([
    ["Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price\n", "Shopify"],
    ["ID,Type,SKU,Name,Published,Regular price,Categories,Parent\n", "WooCommerce"],
    ["sku;name\n", "required columns: id, title, link."],
    ["", "required columns: id, title, link."],
  ])("%j is explained", async (text, why) => {
    const cause: unknown = await linesIn(text).catch((error: unknown) => error);
    expect(cause).toBeInstanceOf(BrokenFeed);
    expect(cause).toMatchObject({ reason: "broken_csv", message: expect.stringContaining(why) });
  });
});

describe("a quotation mark in TSV", () => {
  const tsv = async (...rows: string[]) =>
    (await fieldsIn(["title\tid\tlink", ...rows].join("\n"), "\t")).map((row) => row.slice(1));

  it.each<[string, string[], string[][]]>([
    [
      "begins a value",
      ['"Retro" lamp\t1\tl', '"Open end\t2\tl', "C\t3\tl"],
      [
        ['"Retro" lamp', "1", "l"],
        ['"Open end', "2", "l"],
        ["C", "3", "l"],
      ],
    ],
    [
      "is alone",
      ['"\t1\tl', '15"\t2\tl'],
      [
        ['"', "1", "l"],
        ['15"', "2", "l"],
      ],
    ],
    [
      "surrounds a value",
      ['"A ""B"""\t1\tl', '""\t2\tl'],
      [
        ['A "B"', "1", "l"],
        ["2", "l"],
      ],
    ],
    ["is not doubled within", ['"12" by "14"\t1\tl'], [['"12" by "14"', "1", "l"]]],
    [
      "surrounds tabs",
      ['"A\tB"\t1\tl', "C\t2\tl"],
      [
        ["A\tB", "1", "l"],
        ["C", "2", "l"],
      ],
    ],
    [
      "surrounds line ends",
      ['"A\n\nB ""x"""\t1\tl', "C\t2\tl"],
      [
        ['A\n\nB "x"', "1", "l"],
        ["C", "2", "l"],
      ],
    ],
    [
      "is never closed in a short row",
      ['"A\t1', "B\t2\tl", 'C "x"\t3\tl'],
      [["column_count"], ["B", "2", "l"], ['C "x"', "3", "l"]],
    ],
    [
      "is never closed in the last rows",
      ["A\t1\tl", '"B\t2', "C"],
      [["A", "1", "l"], ["column_count"], ["column_count"]],
    ],
  ])("that %s", async (_, rows, values) => {
    expect(await tsv(...rows)).toEqual(values);
  });

  it("does not hide the lines of rows", async () => {
    const text = 'title\tid\tlink\n"A\nB"\t1\tl\n\n"C\t2\tl\n"D\t3\nE\t4\tl\n';
    expect((await linesIn(text, "\t")).map(({ line }) => line)).toEqual([2, 5, 6, 7]);
  });
});
