import { expect, it } from "vitest";
import { readReceipts, receiptsOf } from "./receipt";

const MAX = 2 ** 48 - 1;

it("a receipt says the lease, the tag and the slot from which it was made", () => {
  for (const parts of [
    { lease: 1, tag: 0, slot: 0 },
    { lease: 77, tag: 123_456_789_012, slot: 99 },
    { lease: MAX, tag: MAX, slot: 65_535 },
  ]) {
    const { slot, ...head } = parts;
    const text = receiptsOf("que_a", head)(slot);
    expect(text).toMatch(/^rcp_[\w-]{27}$/);
    expect(readReceipts("que_a", [text])).toEqual([parts]);
  }
});

it("receipts of several leases in one call are read each for itself, and what is no receipt of the queue is undefined", () => {
  const [one, two] = [receiptsOf("que_a", { lease: 1, tag: 5 }), receiptsOf("que_a", { lease: 2, tag: 6 })];
  const other = receiptsOf("que_b", { lease: 1, tag: 5 });
  const texts = [
    one(0),
    two(3),
    one(1),
    other(0),
    "",
    "nonsense",
    one(0).slice(1),
    `${one(0)}A`,
    `${one(2).slice(0, -1)}-`,
  ];
  expect(readReceipts("que_a", texts)).toEqual([
    { lease: 1, tag: 5, slot: 0 },
    { lease: 2, tag: 6, slot: 3 },
    { lease: 1, tag: 5, slot: 1 },
    ...Array(6).fill(undefined),
  ]);
  // Only one text names a place: with other digits that decode to the same bytes, it is unknown.
  const padded = one(0).slice(0, -1);
  expect(readReceipts("que_a", [`${padded}A`, `${padded}B`, `${padded}=`, `${padded}é`]).map(Boolean)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
