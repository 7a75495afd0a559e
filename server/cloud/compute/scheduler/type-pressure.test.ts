import { expect, it } from "vitest";
import { NodeTable } from "./node-table";
import { request } from "./packing.fixture";
import { ShapeTable } from "./shape-table";
import { typePressures } from "./type-pressure";

const NODE = { cpuMilli: 32_000, memoryMib: 131_072, gpus: 4 };

function pressures(seen: readonly [Parameters<typeof request>[0], number][]): number[] {
  const table = new NodeTable();
  for (let i = 0; i < 9; i++) table.add({ ...NODE, model: "COMMON" });
  table.add({ ...NODE, model: "RARE" });
  const shapes = new ShapeTable(() => undefined);
  for (const [given, count] of seen) shapes.intern(request(given)).seen = count;
  return [...typePressures(shapes.all(), table)];
}

it("is nothing while every request can run on every type", () => {
  expect(pressures([[{}, 100]])).toEqual([0, 0]);
});

it("is the demand for a type, until the pool is full, per idle GPU of it", () => {
  const [common, rare] = pressures([
    [{}, 95],
    [{ models: ["RARE"] }, 5],
  ]);
  expect(common).toBe(0);
  // Of 40 idle GPUs 5 % are for the 4 of the rare type, beside 1 % of its capacity and half a GPU.
  expect(rare).toBeCloseTo((40 * 0.05) / 4.54);
});

it("is limited where a type is far too small for its demand", () => {
  expect(pressures([[{ models: ["RARE"] }, 100]])).toEqual([0, 3]);
});
