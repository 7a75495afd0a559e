import { expect, it } from "vitest";
import { RecordTypes } from "./record-types";

it("a line has the type of its mark, and a line without a known mark has none", () => {
  const types = new RecordTypes({ one: "1", two: "2" });
  const line = types.lineOf("two", "2 texts");
  expect([line, types.typeOf(line), types.textOf(line)]).toEqual(["22 texts", "two", "2 texts"]);
  expect([types.typeOf("3 texts"), types.typeOf("")]).toEqual([undefined, undefined]);
});

it("two types cannot have the same mark, and a mark is one character", () => {
  expect(() => new RecordTypes({ one: "1", two: "1" })).toThrow("a mark of its own");
  expect(() => new RecordTypes({ one: "12" })).toThrow("one character");
});
