import { expect, it } from "vitest";
import { promisesMax, volumesMax } from "./volume-space";

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

it.each([
  // The reserve of 10 GiB is svc's own, and volumes may become as large as they were made.
  [100, 0, 90],
  [100, 30, 60],
  [30, 30, 0],
])("of %d GiB that are left, with volumes of %d GiB, workloads may be promised %d", (left, volumes, most) => {
  const sizes = { leftBytes: left * GIB, diskBytes: 100 * GIB, volumesBytes: volumes * GIB };
  expect(promisesMax(sizes)).toBe(most * GIB);
});
