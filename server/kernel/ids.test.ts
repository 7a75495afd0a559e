import { expect, it } from "vitest";
import { isUuid, newId, randomBase32, uuidv7, uuidv7Floor, uuidv7Ms } from "./ids";

const NOW = Date.UTC(2026, 10, 20, 12);

it("generates UUIDs of version 7 that contain their time", () => {
  const id = uuidv7(NOW);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isUuid(id)).toBe(true);
  expect(uuidv7Ms(id)).toBe(NOW);
});

it("never repeats an id, across many draws from its pool of random bytes", () => {
  expect(new Set(Array.from({ length: 20_000 }, () => uuidv7(NOW))).size).toBe(20_000);
});

it("puts the floor of a time below every id of that time and above every earlier id", () => {
  const floor = uuidv7Floor(NOW);
  expect(uuidv7(NOW) > floor).toBe(true);
  expect(uuidv7(NOW - 1) < floor).toBe(true);
});

it("generates resource ids that sort by their time", () => {
  const ids = [NOW + 2, NOW, NOW + 1].map((ms) => newId("chn", ms));
  expect(ids[0]).toMatch(/^chn_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(ids.toSorted()).toEqual([ids[1], ids[2], ids[0]]);
});

it("draws every character of the base 32 alphabet", () => {
  const text = randomBase32(5000);
  expect(text).toMatch(/^[a-z2-7]{5000}$/);
  expect(new Set(text).size).toBe(32);
});

it.each(["", "not-a-uuid", "01a1fb74-5d30-9504-97a0-091b7f13976d", "01a1fb74-5d30-7504-97a0-091b7f13976d\n"])(
  "does not accept %j as a UUID",
  (text) => {
    expect(isUuid(text)).toBe(false);
  },
);
