import { expect, test } from "vitest";
import { shareOf } from "./share-of";

test("distributes texts evenly over [0, 1)", () => {
  const buckets = new Array<number>(10).fill(0);
  for (let i = 0; i < 20_000; i++) {
    const bucket = Math.floor(shareOf(`campaign\n${i}`) * 10);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  // Five standard deviations of a fair spread.
  for (const count of buckets) expect(Math.abs(count - 2000)).toBeLessThan(5 * Math.sqrt(2000 * 0.9));
});

test("the same text has the same share", () => {
  expect(shareOf("a")).toBe(shareOf("a"));
  expect(shareOf("a")).not.toBe(shareOf("b"));
});
