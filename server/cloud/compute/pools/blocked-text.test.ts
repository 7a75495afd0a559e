import { describe, expect, it } from "vitest";
import type { GpuRequest } from "../scheduler/gpu-request";
import { PoolScheduler } from "../scheduler/pool-scheduler";
import { blockedText } from "./blocked-text";

const request = (given: Partial<GpuRequest>): GpuRequest => ({
  cpuMilli: 1000,
  memoryMib: 512,
  gpus: 1,
  gpuMilli: 1000,
  models: [],
  ...given,
});

/** Two nodes of 8 GPUs, 16 cores and 64 GiB with so many GPUs in use. */
function pool(...used: number[]): PoolScheduler {
  const scheduler = new PoolScheduler();
  for (const gpus of used) {
    const node = scheduler.addNode({ cpuMilli: 16_000, memoryMib: 65_536, gpus: 8, model: "h100" });
    const devices = Array.from({ length: gpus }, (_, device) => device);
    scheduler.restore(node, request({ cpuMilli: 0, memoryMib: 0, gpus, gpuMilli: gpus > 0 ? 1000 : 0 }), devices);
  }
  return scheduler;
}

describe("why GPUs do not fit", () => {
  it.each([
    [
      pool(1, 2),
      request({ gpus: 8 }),
      "No node of this pool has 8 free GPUs: 13 are free on 2 nodes, at most 7 on one.",
    ],
    [pool(8, 8), request({}), "All GPUs of the 2 nodes of this pool are in use."],
    [
      pool(0, 8),
      request({ cpuMilli: 20_000 }),
      "No node with 1 free GPUs has 20 free cores; the most is 16. No node of this pool is as large as that.",
    ],
    [
      pool(0, 8),
      request({ memoryMib: 70_000 }),
      "No node with 1 free GPUs and 1 free cores has 70000 MiB of free memory; the most is 65536. No node of this pool is as large as that.",
    ],
    [
      pool(0, 0),
      request({ gpus: 9 }),
      "No node of this pool has 9 free GPUs: 16 are free on 2 nodes, at most 8 on one. No node of this pool is as large as that.",
    ],
  ])("is said with what is free", (scheduler, wanted, text) => {
    expect(blockedText(wanted, scheduler)).toBe(text);
  });

  it("says that no node accepts pods", () => {
    const scheduler = pool(0, 0);
    for (const node of [0, 1]) scheduler.setCordoned(node, true);
    expect(blockedText(request({}), scheduler)).toBe("No node of this pool accepts pods at present.");
  });
});
