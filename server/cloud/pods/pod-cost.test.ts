import { expect, it } from "vitest";
import { decimalOf } from "../../kernel/money";
import { POD_PRICES } from "../billing/pod-prices";
import { GPU_MODELS } from "../gpu-pools/fleet";
import { costNanos, priceNanosPerHour, secondsBetween } from "./pod-cost";

it("a pod costs its GPUs, cores and memory, exactly", () => {
  const price = priceNanosPerHour({ gpu: "h100", gpuCount: 8, cpu: 4, memoryMb: 1536 });
  // 8 × 2.49 + 4 × 0.03 + 1.5 × 0.004
  expect(decimalOf(price)).toBe("20.046");
  expect(decimalOf(priceNanosPerHour({ gpu: null, gpuCount: 0, cpu: 1, memoryMb: 512 }))).toBe("0.032");
  expect(decimalOf(costNanos(5400, price))).toBe("30.069");
  expect(costNanos(0, price)).toBe(0n);
});

it("every model has a price, as a decimal string", () => {
  for (const model of GPU_MODELS) expect(POD_PRICES.gpu[model]).toMatch(/^\d+\.\d{2}$/);
});

it("each second that has begun counts", () => {
  const at = (ms: number) => new Date(1_000_000 + ms);
  expect([0, 1, 1000, 1001, -5].map((ms) => secondsBetween(at(0), at(ms)))).toEqual([0, 1, 1, 2, 0]);
});
