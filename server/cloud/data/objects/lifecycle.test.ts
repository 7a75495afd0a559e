import { expect, it } from "vitest";
import { type AgedVersion, dueAt, dueTier, expired, firstExpiry, type LifecycleRule, uploadEnd } from "./lifecycle";

const at = (text: string) => Date.parse(text);
const STORED = at("2030-01-15T10:30:00Z");
const DAY_MS = 86_400_000;

const version: AgedVersion & { isOnly: boolean } = {
  id: "ver",
  key: "k",
  versionId: "null",
  size: 100,
  isLatest: true,
  isOnly: true,
  isDeleteMarker: false,
  lastModified: STORED,
  noncurrentSince: null,
  newerNoncurrent: 0,
  tier: "hot",
};
const rule = (fields: Partial<LifecycleRule>): LifecycleRule => ({ prefix: "", enabled: true, ...fields });
const LATE = at("2031-01-01T00:00:00Z");

it("Days end at the midnight (UTC) that follows", () => {
  expect(new Date(dueAt(STORED, 3)).toISOString()).toBe("2030-01-19T00:00:00.000Z");
  expect(new Date(dueAt(at("2030-01-15T00:00:00Z"), 3)).toISOString()).toBe("2030-01-18T00:00:00.000Z");
});

it("A version is expired, and an upload is aborted, when the days of the rule have ended", () => {
  const rules = [rule({ expire_days: 3, abort_upload_days: 2 })];
  expect(expired(rules, version, at("2030-01-18T23:59:59Z"))).toBeUndefined();
  expect(expired(rules, version, at("2030-01-19T00:00:00Z"))).toMatchObject({ key: "k" });
  expect(uploadEnd(rules, { key: "k", startedAt: STORED })).toBe(at("2030-01-18T00:00:00Z"));
  expect(uploadEnd([], { key: "k", startedAt: STORED })).toBe(at("2030-01-16T10:30:00Z"));
});

it("A date applies from its midnight on, and the rule that ends first decides", () => {
  const rules = [rule({ expire_days: 30 }), rule({ expire_date: "2030-01-20" })];
  expect(firstExpiry(rules, version)).toEqual({ rule: rules[1], at: at("2030-01-20T00:00:00Z") });
  expect(expired(rules, version, at("2030-01-20T00:00:00Z") - 1)).toBeUndefined();
  expect(expired(rules, version, at("2030-01-20T00:00:00Z"))).toMatchObject({ key: "k" });
});

const [A, B] = [
  { key: "a", value: "1" },
  { key: "b", value: "" },
];
it.each([
  { filter: { tags: [A] }, tags: [["a", "1"]], isTaken: true },
  { filter: { tags: [A] }, tags: [["a", "2"]], isTaken: false },
  { filter: { tags: [A] }, tags: null, isTaken: false },
  { filter: { tags: [A, B] }, tags: [["a", "1"]], isTaken: false },
  { filter: { larger_than: 99 }, tags: null, isTaken: true },
  { filter: { larger_than: 100 }, tags: null, isTaken: false },
  { filter: { smaller_than: 101 }, tags: null, isTaken: true },
  { filter: { smaller_than: 100 }, tags: null, isTaken: false },
  { filter: { prefix: "k", larger_than: 1, smaller_than: 200 }, tags: null, isTaken: true },
  { filter: { prefix: "x", larger_than: 1 }, tags: null, isTaken: false },
] as { filter: Partial<LifecycleRule>; tags: [string, string][] | null; isTaken: boolean }[])(
  "The filter $filter takes an object of 100 bytes with the tags $tags: $isTaken",
  ({ filter, tags, isTaken }) => {
    const found = expired([rule({ ...filter, expire_days: 1 })], { ...version, tags }, LATE);
    expect(found !== undefined).toBe(isTaken);
  },
);

it("Of older versions the newest stay, and none stays without such a number", () => {
  const older = { ...version, isLatest: false, noncurrentSince: STORED };
  const rules = [rule({ expire_noncurrent_days: 1, keep_noncurrent: 2 })];
  const kept = [0, 1, 2, 3].map((newerNoncurrent) => expired(rules, { ...older, newerNoncurrent }, LATE) === undefined);
  expect(kept).toEqual([true, true, false, false]);
  expect(expired([...rules, rule({ expire_noncurrent_days: 1 })], older, LATE)).toMatchObject({ versionId: "null" });
});

it("A delete marker is deleted where it hides nothing, and by no rule for tags or sizes", () => {
  const marker = { ...version, isDeleteMarker: true, size: 0 };
  const isDeleted = (fields: Partial<LifecycleRule>, isOnly = true) =>
    expired([rule(fields)], { ...marker, isOnly }, LATE) !== undefined;
  expect([isDeleted({ expire_markers: true }), isDeleted({ expire_markers: true }, false)]).toEqual([true, false]);
  expect(isDeleted({ expire_days: 1 })).toBe(true);
  expect(isDeleted({ expire_days: 1, smaller_than: 10 })).toBe(false);
  expect(isDeleted({ expire_days: 1, tags: [{ key: "a", value: "1" }] })).toBe(false);
  expect(isDeleted({ abort_upload_days: 1 })).toBe(false);
});

it("Transitions move current versions by their age or on a day, the others since they were replaced", () => {
  const rules = [
    rule({
      transitions: [{ days: 0, tier: "warm" }],
      noncurrent_transitions: [{ days: 2, keep: 1, tier: "archive" }],
    }),
    rule({ transitions: [{ date: "2030-02-01", tier: "cold" }] }),
  ];
  expect(dueTier(rules, version, at("2030-01-16T00:00:00Z") - 1)).toBeUndefined();
  expect(dueTier(rules, version, at("2030-01-16T00:00:00Z"))).toBe("warm");
  expect(dueTier(rules, version, at("2030-02-01T00:00:00Z"))).toBe("cold");
  const older = { ...version, isLatest: false, noncurrentSince: STORED + 20 * DAY_MS, newerNoncurrent: 1 };
  const end = at("2030-02-07T00:00:00Z");
  expect([dueTier(rules, older, end - 1), dueTier(rules, older, end)]).toEqual([undefined, "archive"]);
  expect(dueTier(rules, { ...older, newerNoncurrent: 0 }, end)).toBeUndefined();
});
