import { describe, expect, it } from "vitest";
import { fileWithHeader, safetensorsFile } from "../../../../test/factories/safetensors";
import { headerLengthOf, LENGTH_BYTES, parseHeader } from "./parse-header";

function parse(file: Buffer) {
  const length = headerLengthOf(file.subarray(0, LENGTH_BYTES), file.length);
  const start = LENGTH_BYTES + length;
  return parseHeader(file.subarray(LENGTH_BYTES, start), file.length - start);
}

const parseJson = (header: unknown, dataBytes = 0) =>
  parse(fileWithHeader(typeof header === "string" ? header : JSON.stringify(header), Buffer.alloc(dataBytes)));
const u8 = (start: number, end: number) => ({ dtype: "U8", shape: [end - start], data_offsets: [start, end] });

it("returns the tensors in the order of their data, whatever the order of the keys", () => {
  const { tensors, metadata } = parseJson({ 7: u8(3, 5), z: u8(0, 3), __metadata__: { format: "pt" } }, 5);
  expect(tensors).toEqual([
    { name: "z", dtype: "U8", shape: [3], bytes: 3 },
    { name: "7", dtype: "U8", shape: [2], bytes: 2 },
  ]);
  expect(metadata).toEqual({ format: "pt" });
});

it("reads scalars, empty tensors, packed dtypes, any name, a padded header and a file without tensors", () => {
  const file = safetensorsFile([
    { name: "scalar", dtype: "F64", shape: [], bytes: Buffer.alloc(8) },
    { name: "empty", dtype: "F32", shape: [4, 0], bytes: Buffer.alloc(0) },
    { name: "packed", dtype: "F4", shape: [2, 3], bytes: Buffer.alloc(3) },
    { name: "é\n__proto__", dtype: "BOOL", shape: [1], bytes: Buffer.alloc(1) },
  ]);
  expect(parse(file).tensors.map(({ name, bytes }) => [name, bytes])).toEqual([
    ["scalar", 8],
    ["empty", 0],
    ["packed", 3],
    ["é\n__proto__", 1],
  ]);
  expect(parseJson('{"__proto__":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}  ', 1).tensors).toHaveLength(1);
  expect(parseJson("{}").tensors).toEqual([]);
});

describe("refuses", () => {
  const length = (value: bigint) => {
    const file = Buffer.alloc(16);
    file.writeBigUInt64LE(value);
    return file;
  };
  it.each([
    ["a length that no header has", length(2n ** 63n), "announce a header of 9223372036854775808 bytes"],
    ["a header beyond the file", length(9n), "the header has 9 bytes, which the file of 16 bytes does not contain"],
    ["text that is not UTF-8", fileWithHeader(Buffer.from([0x7b, 0xff, 0x7d])), "not valid UTF-8"],
    ["a header that does not begin with a brace", fileWithHeader(" {}"), 'does not begin with "{"'],
    ["a broken header", fileWithHeader('{"a":'), "not valid JSON"],
    ["a header that ends in a string", fileWithHeader('{"a\\\\"'), "not valid JSON"],
    ["a key that is no string of JSON", fileWithHeader('{"\\q":1}'), "not valid JSON"],
    ["lists in lists", fileWithHeader(`{"a":${"[".repeat(1e6)}`), "has more levels than tensors with their fields"],
    ["an array", fileWithHeader("[]"), 'does not begin with "{"'],
  ])("%s", (_what, file, message) => {
    expect(() => parse(file)).toThrow(message);
  });

  it.each([
    ["a tensor that is no object", { a: 1 }, 0, 'tensor "a": expected an object'],
    ["no dtype", { a: { shape: [], data_offsets: [0, 0] } }, 0, 'tensor "a": dtype: expected a string'],
    ["an unknown dtype", { a: { ...u8(0, 1), dtype: "F99" } }, 1, 'tensor "a": dtype "F99" is not one of BOOL,'],
    ["no shape", { a: { dtype: "U8", data_offsets: [0, 0] } }, 0, 'tensor "a": shape: expected an array'],
    ["a negative length", { a: { ...u8(0, 1), shape: [-1] } }, 1, 'tensor "a": shape: expected'],
    ["a fraction", { a: { ...u8(0, 1), shape: [0.5, 2] } }, 1, 'tensor "a": shape: expected'],
    ["an endless shape", { a: { ...u8(0, 1), shape: [2 ** 40, 2 ** 40] } }, 1, "more elements than a file can contain"],
    ["one offset", { a: { ...u8(0, 1), data_offsets: [0] } }, 1, 'tensor "a": data_offsets: expected an array of two'],
    ["an end before its start", { a: { ...u8(0, 1), data_offsets: [1, 0] } }, 1, "the end 0 is before the start 1"],
    ["another size", { a: { ...u8(0, 3), dtype: "F32" } }, 3, "contain 3 bytes, but its dtype and shape need 12"],
    ["half a byte", { a: { ...u8(0, 1), dtype: "F4", shape: [1] } }, 1, "4 bits of F4 are not a whole number of bytes"],
    ["an overlap", { a: u8(0, 3), b: u8(2, 4) }, 4, 'tensor "b": overlaps the tensor before it; expected its data'],
    ["a gap", { a: u8(0, 3), b: u8(4, 5) }, 5, 'tensor "b": leaves a gap after the tensor before it'],
    ["a gap at the start", { a: u8(1, 3) }, 3, 'tensor "a": leaves a gap'],
    ["missing bytes", { a: u8(0, 3) }, 2, 'the last tensor, "a", ends at 3'],
    ["bytes after the last tensor", { a: u8(0, 3) }, 4, "the file has 4 bytes after the header, but the last tensor"],
    ["bytes without a tensor", {}, 1, "has 1 bytes after the header, but it has no tensors"],
    ["metadata of other values", { __metadata__: { a: 1 } }, 0, '__metadata__ / "a": expected a string'],
    ["metadata that is no object", { __metadata__: "pt" }, 0, "__metadata__: expected an object of strings"],
    ["a tensor twice", '{"a":{"dtype":"U8"},"\\u0061":1}', 0, 'the key "a" twice'],
    ["a field twice", '{"x\\"y":{"shape":["}"],"shape":[]}}', 0, 'the key "x\\"y" / "shape" twice'],
  ] as const)("%s", (...[, header, dataBytes, message]) => {
    expect(() => parseJson(header, dataBytes)).toThrow(message);
    expect(() => parseJson(header, dataBytes)).toThrow(/^source_model: .*\.$/);
  });
});
