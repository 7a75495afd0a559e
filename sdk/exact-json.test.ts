import { describe, expect, it } from "vitest";
import { parseAsWritten, parseJson, stringifyJson } from "./exact-json";

describe("parseJson", () => {
  it("reads a whole number with more digits than a number keeps as a BigInt, and everything else as JSON.parse does", () => {
    const text =
      '{"a":[9007199254740991,9007199254740992,-9007199254740993,18446744073709551615,100000000000000000000],"b":"9007199254740993 \\"9007199254740993\\\\","c":1.00000000000000001,"d":1e20,"9007199254740993":-0}';
    expect(parseJson(text)).toEqual({
      a: [9007199254740991, 9007199254740992, -9007199254740993n, 18446744073709551615n, 1e20],
      b: '9007199254740993 "9007199254740993\\',
      c: 1,
      d: 1e20,
      "9007199254740993": -0,
    });
    expect(parseJson("9007199254740993")).toBe(9007199254740993n);
    expect(parseJson('[{"__proto__":9007199254740993}]')).toEqual(
      JSON.parse('[{"__proto__":1}]', (_, v) => (v === 1 ? 9007199254740993n : v)),
    );
  });

  it.each([
    "9007199254740993x",
    "[09007199254740993]",
    "{9007199254740993:1}",
    "{9007199254740993 : 1}",
    '["9007199254740993]',
    "-",
    "1.9007199254740993.1",
    "",
  ])("refuses what is no JSON: %s", (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
    expect(() => parseAsWritten(text)).toThrow(SyntaxError);
  });
});

describe("stringifyJson", () => {
  it("writes a BigInt as a number, also where others gave it a toJSON", () => {
    expect(stringifyJson({ a: [1n, -9007199254740993n], b: "1n", c: undefined, d: null })).toBe(
      '{"a":[1,-9007199254740993],"b":"1n","d":null}',
    );
    const bigints = BigInt.prototype as { toJSON?: () => string };
    bigints.toJSON = () => "text";
    try {
      expect(stringifyJson([9007199254740993n])).toBe("[9007199254740993]");
    } finally {
      delete bigints.toJSON;
    }
  });

  it("is JSON.stringify for what has none", () => {
    const value = { a: new Date(0), b: [undefined], c: "\0", d: { e: 1.5 } };
    expect(stringifyJson(value)).toBe(JSON.stringify(value));
    expect(stringifyJson(value, 2)).toBe(JSON.stringify(value, null, 2));
  });
});

it("numbers that are read as they were written are written so again", () => {
  const text = '{"a":1.0,"b":[1e400,-0,1E2,0.10,9007199254740993,12345678901234567.89,7],"c":"1.0"}';
  expect(stringifyJson(parseAsWritten(text))).toBe(text);
  expect(stringifyJson(parseAsWritten("1.0"))).toBe("1.0");
  expect(stringifyJson(parseAsWritten('{"a":1.0}'), 2)).toBe('{\n  "a": 1.0\n}');
  expect(stringifyJson(parseJson('{"id":9007199254740993}'))).toBe('{"id":9007199254740993}');
});
