import { expect, it } from "vitest";
import { claimUser } from "./claim-user";

const isRoot = process.getuid?.() === 0;

it.runIf(isRoot)("a process of workers has a user of the machine that no other one has, until it ends", async () => {
  const wanted = [1_900_100_007, 1_900_100_007, 1_900_100_008];
  const first = await claimUser(() => wanted.shift() ?? 0);
  const second = await claimUser(() => wanted.shift() ?? 0);
  expect([first.uid, second.uid]).toEqual([1_900_100_007, 1_900_100_008]);
  first.release();
  const third = await claimUser(() => 1_900_100_007);
  expect(third.uid).toBe(1_900_100_007);
  for (const claimed of [second, third]) claimed.release();
});
