import { expect, it } from "vitest";
import { readVectors } from "./read-vectors";

it("returns the vectors in the order of the texts, with or without indexes", () => {
  const shuffled = {
    data: [
      { index: 1, embedding: [3, 4] },
      { index: 0, embedding: [1, 2] },
    ],
  };
  expect(readVectors(shuffled, 2)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(readVectors({ data: [{ embedding: [1] }, { embedding: [2] }] }, 2)).toEqual([[1], [2]]);
});

const one = (embedding: unknown) => ({ data: [{ index: 0, embedding }] });
it.each([
  [null, /no array `data`/],
  ["text", /no array `data`/],
  [{ data: {} }, /no array `data`/],
  [{ data: [] }, /0 vectors instead of 1/],
  [{ data: [null] }, /not an array/],
  [{ data: [{ index: 1, embedding: [1] }] }, /indexes/],
  [{ data: [{ index: "0", embedding: [1] }] }, /indexes/],
  [one("AACAPw=="), /not an array/],
  [one([]), /0 components/],
  [one(new Array(4097).fill(1)), /4097 components/],
  [one([1, null]), /finite/],
  [one([1, "2"]), /finite/],
  [one([0, 0]), /only zeros/],
])("rejects %j", (response, expected) => {
  expect(() => readVectors(response, 1)).toThrowError(expected);
});

it("rejects vectors of different lengths and repeated indexes", () => {
  expect(() => readVectors({ data: [{ embedding: [1] }, { embedding: [1, 2] }] }, 2)).toThrowError(/different lengths/);
  const repeated = [
    { index: 0, embedding: [1] },
    { index: 0, embedding: [1] },
  ];
  expect(() => readVectors({ data: repeated }, 2)).toThrowError(/indexes/);
});
