import { expect, it } from "vitest";
import { FeedIds, SeenIds } from "./seen-ids";

it("contains every added id and no other", () => {
  const ids = new FeedIds();
  expect(new SeenIds(ids.sorted()).has("sku-0")).toBe(false);
  for (let i = 0; i < 5000; i++) ids.put(`sku-${i}`, i + 1);
  const seen = new SeenIds(ids.sorted());
  expect(Array.from({ length: 5000 }, (_, i) => seen.has(`sku-${i}`)).every(Boolean)).toBe(true);
  expect(Array.from({ length: 5000 }, (_, i) => seen.has(`sku-${i + 5000}`)).some(Boolean)).toBe(false);
});

it("tells the line that had an id before, also after it grew", () => {
  const ids = new FeedIds();
  for (let i = 0; i < 5000; i++) expect(ids.put(`sku-${i}`, i + 1)).toBeUndefined();
  for (let i = 0; i < 5000; i++) expect(ids.put(`sku-${i}`, i + 6001)).toBe(i + 1);
  expect(ids.put("sku-0", 20_000)).toBe(6001);
});

it("knows an id of a rejected line, which is no line before", () => {
  const ids = new FeedIds();
  ids.put("a", 1);
  for (const id of ["a", "b"]) ids.mention(id);
  expect([ids.put("a", 3), ids.put("b", 4), ids.put("b", 5)]).toEqual([1, 0, 4]);
  expect(["a", "b", "c"].map((id) => new SeenIds(ids.sorted()).has(id))).toEqual([true, true, false]);
});
