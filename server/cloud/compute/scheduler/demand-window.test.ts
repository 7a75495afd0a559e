import { expect, it } from "vitest";
import { demandPrices } from "./demand-prices";
import { DemandWindow } from "./demand-window";
import { request } from "./packing.fixture";
import { type Shape, ShapeTable } from "./shape-table";

const table = new ShapeTable(() => undefined);
const shape = (gpus: number, seen: number, blocked = 0): Shape => ({
  ...table.intern(request({ gpus })),
  seen,
  blocked,
});

function priced(shapes: Shape[]): DemandWindow {
  const window = new DemandWindow(() => shapes);
  window.mark(demandPrices(shapes).shapeIds);
  return window;
}

it("keeps prices while the mix of requests stays the same, however many there are", () => {
  const shapes = [shape(1, 60), shape(8, 40)];
  const window = priced(shapes);
  for (const one of shapes) one.seen *= 100;
  expect(window.hasDrifted()).toBe(false);
});

it("renews prices when other shapes are requested", () => {
  const shapes = [shape(1, 60), shape(8, 40)];
  const window = priced(shapes);
  shapes.push(shape(2, 20));
  expect(window.hasDrifted()).toBe(true);
});

it("renews prices when a frequent request for several GPUs is blocked more often", () => {
  const [single, whole] = [shape(1, 60), shape(8, 40)];
  const window = priced([single, whole]);
  single.blocked = 30;
  expect(window.hasDrifted()).toBe(false);
  whole.blocked = 10;
  expect(window.hasDrifted()).toBe(true);
});

it("lets old requests weigh less and keeps the shares", () => {
  const shapes = [shape(1, 30_000), shape(8, 10_000, 1000)];
  const window = priced(shapes);
  window.fade();
  expect(shapes.map(({ seen, blocked }) => [seen, blocked])).toEqual([
    [15_000, 0],
    [5000, 500],
  ]);
  expect(window.hasDrifted()).toBe(false);
});
