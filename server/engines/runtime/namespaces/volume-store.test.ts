import { expect, it } from "vitest";
import { volumesMax } from "./volume-store";

const GIB = 1024 ** 3;

it.each([
  // Four fifths of what is left, while that leaves the reserve.
  [100, 100, 80],
  [50, 100, 40],
  [20, 100, 10],
  // Less than the reserve of 10 GiB is left.
  [8, 100, 0],
])("volumes may have of %d GiB that are left on a disk of %d GiB: %d", (left, disk, most) => {
  expect(volumesMax(left * GIB, disk * GIB)).toBe(most * GIB);
});
