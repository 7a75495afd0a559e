import { expect, it } from "vitest";
import { ExactNumber, parseAsWritten } from "./exact-number";

const written = (text: string) => new ExactNumber(text);

it.each<[string, unknown]>([
  ["[1,-2,4.5,0]", [1, -2, 4.5, 0]],
  ["9007199254740993", written("9007199254740993")],
  ["[1.0,1.10,1e3,-0,1E400]", ["1.0", "1.10", "1e3", "-0", "1E400"].map(written)],
  [
    '{"a":{"b":[{"c":12345678901234567890}]},"d":null}',
    { a: { b: [{ c: written("12345678901234567890") }] }, d: null },
  ],
  [
    '{"12345678901234567890":"1.10","a\\\\":" 1.10 \\"2.20\\" ","b":1.10}',
    { "12345678901234567890": "1.10", "a\\": ' 1.10 "2.20" ', b: written("1.10") },
  ],
  ['{"id":1.10,"id":2.20}', { id: written("2.20") }],
])("%s keeps the digits that a number would lose", (text, value) => {
  expect(parseAsWritten(text)).toEqual(value);
});

it.each(["01", "1.", ".5", "1.2.3", "+1", '{"a":01}', '"\\x"', "1 2", "NaN", ""])("%j is not JSON", (text) => {
  expect(() => parseAsWritten(text)).toThrow(SyntaxError);
});
