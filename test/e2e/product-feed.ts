const CONSONANTS = "bdfgklmnprtvz";

/** A word that no language has and no stemmer shortens, another one for each number below 2,197. */
export const wordOf = (number: number): string => {
  const syllables = [169, 13, 1].map((place) => `${CONSONANTS[Math.floor(number / place) % 13]}o`);
  return `${syllables.join("")}k`;
};

interface ProductFeed {
  csv: string;
  lines: number;
  /** What a page tells of each bad line: its number in the file, its id, the field, and what is wrong. */
  bad: [string, string, string, string][];
}

/** A feed of lanterns as CSV, one line each under a header; five of them, at 100, 200, 300, 400 and 450, are bad. */
export function feedOf(lines: number): ProductFeed {
  const rows = Array.from({ length: lines }, (_, i) => rowOf(i + 1));
  return {
    csv: ["id,title,description,link,price,availability", ...rows].join("\n"),
    lines,
    bad: [
      ["101", "sku-100", "link", "Expected a value."],
      ["201", "sku-200", "link", "Expected an absolute http or https URL."],
      ["301", "–", "whole line", "Expected 6 values to match the header, found 7."],
      ["401", "sku-400", "price", "Expected an amount and an ISO 4217 currency, such as 49.95 USD."],
      ["451", "sku-450", "availability", "Expected in_stock, out_of_stock, preorder or backorder."],
    ],
  };
}

function rowOf(number: number): string {
  const link = number === 100 ? "" : number === 200 ? "ftp://shop.example/1" : `https://shop.example/${number}`;
  const price = number === 400 ? "cheap" : `${number}.90 USD`;
  const availability = number === 450 ? "perhaps" : "in_stock";
  const more = number === 300 ? ",surplus" : "";
  return `sku-${number},${wordOf(number)} lantern,${"Light for a long night. ".repeat(20)},${link},${price},${availability}${more}`;
}
