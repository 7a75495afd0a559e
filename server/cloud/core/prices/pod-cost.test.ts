import { expect, it } from "vitest";
import { decimalOf } from "../../../kernel/money";
import { GPU_MODELS } from "./gpu-models";
import { costNanos, priceNanosPerHour, secondsBetween } from "./pod-cost";
import { POD_PRICES } from "./pod-prices";

it("a pod costs its GPUs, cores and memory, exactly", () => {
  const price = priceNanosPerHour({ purchase: "on_demand", gpu: "h100", gpuCount: 8, cpu: 4, memoryMb: 1536 });
  // 8 × 2.49 + 4 × 0.03 + 1.5 × 0.004
  expect(decimalOf(price)).toBe("20.046");
  expect(decimalOf(priceNanosPerHour({ purchase: "on_demand", gpu: null, gpuCount: 0, cpu: 1, memoryMb: 512 }))).toBe(
    "0.032",
  );
  expect(decimalOf(costNanos(5400, price))).toBe("30.069");
  expect(costNanos(0, price)).toBe(0n);
});

it("spot is 40 to 60 % below on-demand, and reservations cost least, the longer one less", () => {
  for (const model of GPU_MODELS) {
    const prices = Object.values(POD_PRICES.gpu[model]);
    for (const price of prices) expect(price).toMatch(/^\d+\.\d{2}$/);
    const [onDemand = 0, spot = 0, month = 0, year = 0] = prices.map(Number);
    expect(spot).toBeGreaterThanOrEqual(onDemand * 0.4);
    expect(spot).toBeLessThanOrEqual(onDemand * 0.6);
    expect(month).toBeLessThan(spot);
    expect(year).toBeLessThan(month);
  }
});

it("a whole spot pod costs 40 to 60 % less, and the GPUs of a reservation are paid for with it", () => {
  const shape = { gpu: "a100", gpuCount: 1, cpu: 64, memoryMb: 262_144 } as const;
  const [onDemand, spot, reserved] = (["on_demand", "spot", "reserved"] as const).map((purchase) =>
    Number(priceNanosPerHour({ purchase, ...shape })),
  );
  expect((spot ?? 0) / (onDemand ?? 1)).toBeGreaterThan(0.4);
  expect((spot ?? 0) / (onDemand ?? 1)).toBeLessThan(0.6);
  expect(reserved).toBe((onDemand ?? 0) - 1.49e9);
});

it("each second that has begun counts", () => {
  const at = (ms: number) => new Date(1_000_000 + ms);
  expect([0, 1, 1000, 1001, -5].map((ms) => secondsBetween(at(0), at(ms)))).toEqual([0, 1, 1, 2, 0]);
});
