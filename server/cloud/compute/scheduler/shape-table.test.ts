import { expect, it } from "vitest";
import { request } from "./packing.fixture";
import { SHAPES_MAX, type Shape, ShapeTable } from "./shape-table";

it("has one shape for requests that are alike, in whatever order they name the models", () => {
  const table = new ShapeTable(() => undefined);
  const shape = table.intern(request({ models: ["A", "B"] }));
  expect(table.intern(request({ models: ["B", "A"] }))).toBe(shape);
  expect(table.intern(request({ models: ["B"] }))).not.toBe(shape);
});

it("keeps a bounded number of shapes and forgets the one that was not requested for longest", () => {
  const forgotten: Shape[] = [];
  const table = new ShapeTable((shape) => forgotten.push(shape));
  const first = table.intern(request({ cpuMilli: 1 }));
  const second = table.intern(request({ cpuMilli: 2 }));
  for (let cpuMilli = 3; cpuMilli <= SHAPES_MAX; cpuMilli++) table.intern(request({ cpuMilli }));
  table.intern(request({ cpuMilli: 1 }));
  table.intern(request({ cpuMilli: SHAPES_MAX + 1 }));
  expect(forgotten).toEqual([second]);
  expect([...table.all()]).toHaveLength(SHAPES_MAX);
  expect([...table.all()]).toContain(first);
});
