import { expect, it } from "vitest";
import { RecentlyUsed } from "./recently-used";

it("drops what was not used for longest when its memory is full", () => {
  const kept = new RecentlyUsed<{ bytes: number }>(3000);
  for (const key of ["a", "b", "c"]) kept.set(key, { bytes: 500 });
  kept.get("a");
  kept.set("d", { bytes: 500 });
  expect([..."abcd"].filter((key) => kept.get(key))).toEqual(["a", "c", "d"]);
});

it("counts a replaced entry once, and keeps nothing that is larger than all of it", () => {
  const kept = new RecentlyUsed<{ bytes: number }>(3000);
  for (let i = 0; i < 10; i++) kept.set("a", { bytes: 1500 });
  kept.set("b", { bytes: 500 });
  expect(kept.size).toBe(2);
  kept.set("c", { bytes: 5000 });
  expect(kept.size).toBe(0);
});
