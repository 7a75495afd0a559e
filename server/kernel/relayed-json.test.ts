import { expect, it } from "vitest";
import { parseExact } from "./exact-number";
import { numberOf, relayedJson, relayedText, withMarksOf, withMarksOfExact, withNumbers } from "./relayed-json";

const NUMBERS = [
  "0 -0 1 -1 1.0 1e2 1E+2 0.10 -1.50e-07 1e400 0.1 123456789012345 9007199254740991 9007199254740993",
  "-9007199254740993 9223372036854775807 18446744073709551615 123456789012345678901234567890",
  "0.1000000000000000055511151231257827 1e21 1e-7 5e-324",
].flatMap((line) => line.split(" "));

it.each(NUMBERS)("writes the number %s as it was, wherever it is", (number) => {
  for (const text of [number, `[${number},${number}]`, `{"a":${number},"b":{"c":[${number}]}}`]) {
    expect(relayedText(relayedJson(text))).toBe(text);
    expect(withNumbers(relayedJson(text))).toEqual(JSON.parse(text));
  }
  expect(numberOf(relayedJson(number))).toBe(JSON.parse(number));
});

it("leaves texts that look like numbers and marks as they are", () => {
  const values = { "1.0": "1.0", a: '"1.0', b: '\\"1.0', c: "\\u00001.0", d: "\\", e: ['1.0"', "9007199254740993"] };
  const text = JSON.stringify(values);
  expect(relayedJson(text)).toEqual(values);
  expect(relayedText(relayedJson(text))).toBe(text);
  expect([numberOf("1.0"), numberOf(null), numberOf(3)]).toEqual([undefined, undefined, 3]);
});

it("marks numbers of other surfaces", () => {
  const text = '{"a":[9007199254740993,{"b":1e400}],"c":1}';
  expect(relayedText(withMarksOfExact(parseExact(text)))).toBe(text);
  expect(relayedText(withMarksOf(parseExact(text), text))).toBe(text);
});

it("puts marks over the numbers of a value that was read from the same text", () => {
  const text = '{"a":1.0,"b":[{"c":9007199254740993}],"d":"x","e":null}';
  const value = JSON.parse(text);
  const { d: _, ...some } = value;
  const marked = withMarksOf(some, text);
  expect(relayedText(marked)).toBe('{"a":1.0,"b":[{"c":9007199254740993}],"e":null}');
  expect(value).toEqual(JSON.parse(text));
  const plain = { a: 1, b: ["x"] };
  expect(withMarksOf(plain, '{"a":1,"b":["x"]}')).toBe(plain);
  expect(withNumbers(plain)).toBe(plain);
});

it.each(["[01]", "[1.]", "[.5]", '{1.0:"a"}', '{1.0 :"a"}', "[1.0 2.0]", '["a"1.0]'])("%s is no JSON", (json) => {
  expect(() => relayedJson(json)).toThrow(SyntaxError);
});
