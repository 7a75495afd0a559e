import { expect, it } from "vitest";
import { fitText } from "./fit-text";

const pool = { free_gpus: 9, largest_free: 4, spot_gpus: 8 };

it("says whether a pod finds its GPUs on one node, and what happens if not", () => {
  expect(fitText(pool, { count: 4, isSpot: true })).toBe("Fits now: 9 GPUs are free, at most 4 on one node.");
  expect(fitText(pool, { count: 5, isSpot: false })).toMatch(/^Does not fit now: .*Spot pods are given notice/);
  expect(fitText(pool, { count: 5, isSpot: true })).toMatch(/The pod waits until others have ended\.$/);
  expect(fitText({ ...pool, spot_gpus: 0 }, { count: 5, isSpot: false })).toMatch(/The pod waits/);
  expect(fitText({ free_gpus: 1, largest_free: 1, spot_gpus: 0 }, { count: 1, isSpot: false })).toBe(
    "Fits now: 1 GPU is free, at most 1 on one node.",
  );
});
