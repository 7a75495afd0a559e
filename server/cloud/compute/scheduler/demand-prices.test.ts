import { expect, it } from "vitest";
import { demandPrices } from "./demand-prices";
import { request } from "./packing.fixture";
import { ShapeTable } from "./shape-table";

it("describes the frequent requests, merged over memory, until they cover 95 %", () => {
  const table = new ShapeTable(() => undefined);
  const seen = (given: Parameters<typeof request>[0], count: number, blocked = 0) =>
    Object.assign(table.intern(request(given)), { seen: count, blocked });
  seen({ gpus: 1, memoryMib: 1000 }, 40);
  seen({ gpus: 1, memoryMib: 2000 }, 30, 7);
  seen({ gpus: 2 }, 26);
  seen({ gpus: 8 }, 4);
  const { classes, shapeIds, thresholds } = demandPrices(table.all());
  expect(classes.map(({ gpus, share, blockedShare }) => [gpus, share, blockedShare])).toEqual([
    [1, 70 / 96, 0.1],
    [2, 26 / 96, 0],
  ]);
  expect([...shapeIds]).toEqual([0, 1, 2]);
  expect(thresholds).toEqual([1000]);
});

it("measures the CPU that a GPU needs over the requests that need GPUs", () => {
  const table = new ShapeTable(() => undefined);
  table.intern(request({ cpuMilli: 8000, gpuMilli: 500 })).seen = 2;
  table.intern(request({ cpuMilli: 4000, gpus: 1 })).seen = 1;
  table.intern(request({ cpuMilli: 90_000, gpus: 0, gpuMilli: 0 })).seen = 5;
  expect(demandPrices(table.all()).gpusPerCpuMilli).toBeCloseTo(2 / 20_000);
  expect(demandPrices([]).gpusPerCpuMilli).toBe(0);
});
