import { expect, it } from "vitest";
import { SeenIds } from "./seen-ids";

it("contains every added id and no other", () => {
  const seen = new SeenIds();
  expect(seen.has("sku-0")).toBe(false);
  for (let i = 0; i < 5000; i++) seen.add(`sku-${i}`);
  expect(Array.from({ length: 5000 }, (_, i) => seen.has(`sku-${i}`)).every(Boolean)).toBe(true);
  expect(Array.from({ length: 5000 }, (_, i) => seen.has(`sku-${i + 5000}`)).some(Boolean)).toBe(false);
});

it("accepts more ids after a lookup", () => {
  const seen = new SeenIds();
  seen.add("b");
  expect(seen.has("b")).toBe(true);
  seen.add("a");
  expect([seen.has("a"), seen.has("b"), seen.has("c")]).toEqual([true, true, false]);
});
