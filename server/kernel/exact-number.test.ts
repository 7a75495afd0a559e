import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactNumber, exactJson, parseExact } from "./exact-number";

/** Each is another number when a double was in between. */
const CHANGED = [
  "9007199254740993",
  "-9223372036854775808",
  "9223372036854775807",
  "18446744073709551615",
  "0.1000000000000000055511151231257827",
  "0.10000000000000001",
  "123456789012345678.5",
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993e0",
];
/** Each is the same number, if not the same text. */
const KEPT = [
  "0",
  "-0",
  "1.50",
  "1e5",
  "9007199254740991",
  "9007199254740992",
  "1e23",
  "0.30000000000000004",
  "5e-324",
];

describe("JSON with numbers that a double would change", () => {
  it.each(CHANGED)("has %s as it was written", (number) => {
    expect(parseExact(number)).toEqual(new ExactNumber(number));
    const json = `{"a":[${number},"x"],"b":{"${number}":"${number}"}}`;
    expect(exactJson(parseExact(json))).toBe(json);
    expect(exactJson(parseExact(` { "a" :\n${number}\t}`))).toBe(`{"a":${number}}`);
  });

  it.each(KEPT)("has %s as a number", (number) => {
    expect(parseExact(`[${number}]`)).toEqual([Number(number)]);
  });

  it("keeps strings unchanged, also those that look like numbers", () => {
    const value = { 'a":12345678901234567890': [',12345678901234567890,"', "\\", '\\"', ":1e999", '"'] };
    const json = JSON.stringify([value, 1]).replace(/1]$/, "12345678901234567890]");
    expect(parseExact(json)).toEqual([value, new ExactNumber("12345678901234567890")]);
  });

  it.each([
    "[012345678901234567890]",
    "{12345678901234567890:1}",
    '{12345678901234567890 :1,"a":12345678901234567890}',
    "[12345678901234567890.]",
    "[.12345678901234567890]",
    "[+12345678901234567890]",
    "[12345678901234567890 12345678901234567890]",
    '["a"12345678901234567890]',
    "[-]",
    '["12345678901234567890',
    "12345678901234567890e",
  ])("is refused if it is no JSON: %s", (json) => {
    expect(() => parseExact(json)).toThrow(SyntaxError);
  });

  it("is a text with all digits for what writes JSON otherwise", () => {
    expect(JSON.stringify(parseExact("[9007199254740993]"))).toBe('["9007199254740993"]');
    expect(`${parseExact("1e400")}`).toBe("1e400");
  });

  it("is what JSON.parse and JSON.stringify make of all other JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const json = JSON.stringify([value, 1], undefined, indent);
        expect(parseExact(json)).toEqual(JSON.parse(json));
        expect(exactJson(value)).toBe(JSON.stringify(value));
        expect(exactJson(parseExact(json.replace(/1\s*\]$/, "1e999]")))).toBe(
          JSON.stringify([value, 1]).replace(/1\]$/, "1e999]"),
        );
      }),
    );
    expect(exactJson(undefined)).toBeUndefined();
  });

  it("takes time in proportion to its length", () => {
    for (const json of [`[${"9".repeat(300_000)}]`, `[0.${"0".repeat(300_000)}1]`, `["${"1e".repeat(300_000)}"]`])
      expect(exactJson(parseExact(json))).toBe(json);
  });
});
