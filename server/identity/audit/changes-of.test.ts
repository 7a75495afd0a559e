import { expect, it } from "vitest";
import { changesOf } from "./changes-of";

const channel = { id: "chn_1", name: "Shop", origins: ["https://a.example"], updated_at: "2026-11-20T08:00:00Z" };

it("returns the changed fields and their previous values", () => {
  const after = { ...channel, name: "Store", origins: [] };
  expect(changesOf(channel, after)).toEqual({
    name: { from: "Shop", to: "Store" },
    origins: { from: ["https://a.example"], to: [] },
  });
});

it("returns nothing for an update that changed only its time, whatever the order of a value's names", () => {
  const before = { cap: { count: 1, per: "campaign" }, updated_at: "1" };
  expect(changesOf(before, { cap: { per: "campaign", count: 1 }, updated_at: "2" })).toEqual({});
});

it("returns values that were set or cleared as null", () => {
  expect(changesOf<{ end?: string | null }>({ end: "2027-01-01" }, { end: null })).toEqual({
    end: { from: "2027-01-01", to: null },
  });
  expect(changesOf<{ end?: string }>({}, { end: "x" })).toEqual({ end: { from: null, to: "x" } });
});

it("truncates a text, and a list as JSON, to 500 characters without splitting a character", () => {
  const { name, origins } = changesOf(channel, {
    ...channel,
    name: "😀".repeat(600),
    origins: Array.from({ length: 100 }, (_, i) => `https://shop-${i}.example`),
  });
  expect(name?.to).toBe(`${"😀".repeat(500)}…`);
  expect(origins?.from).toEqual(["https://a.example"]);
  expect(origins?.to).toMatch(/^\["https:\/\/shop-0\.example",.*…$/);
  expect(String(origins?.to)).toHaveLength(501);
});
