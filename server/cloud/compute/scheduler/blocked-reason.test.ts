import { describe, expect, it } from "vitest";
import type { GpuRequest } from "./gpu-request";
import { request } from "./packing.fixture";
import { PoolScheduler } from "./pool-scheduler";

const NODE = { cpuMilli: 32_000, memoryMib: 65_536, gpus: 4, model: "H100" };

function explained(used: GpuRequest[], wanted: GpuRequest) {
  const scheduler = new PoolScheduler();
  scheduler.addNode(NODE);
  for (const one of used) scheduler.place(one);
  expect(scheduler.place(wanted)).toBeUndefined();
  return scheduler.explain(wanted);
}

describe("why a request is blocked", () => {
  it("names the model if no node of the pool has it", () => {
    expect(explained([], request({ models: ["B200"] }))).toEqual({ constraint: "model", fitsIdleNode: false });
  });

  it("says how many GPUs would fit now", () => {
    const wanted = request({ gpus: 4 });
    const nearest = { ...wanted, gpus: 3 };
    expect(explained([request({})], wanted)).toEqual({ constraint: "gpus", fitsIdleNode: true, nearest });
  });

  it("says how large a share would fit now", () => {
    const used = [300, 1000, 1000, 1000].map((gpuMilli) => request({ gpuMilli }));
    const wanted = request({ gpuMilli: 900 });
    const nearest = { ...wanted, gpuMilli: 700 };
    expect(explained(used, wanted)).toEqual({ constraint: "gpus", fitsIdleNode: true, nearest });
  });

  it("says how much CPU or memory would fit now where the GPUs are free", () => {
    const cpu = request({ cpuMilli: 20_000 });
    expect(explained([cpu], cpu)).toMatchObject({ constraint: "cpu", nearest: { cpuMilli: 12_000, gpus: 1 } });
    const memory = request({ memoryMib: 40_000 });
    expect(explained([memory], memory)).toMatchObject({ constraint: "memory", nearest: { memoryMib: 25_536 } });
  });

  it("tells a request that an idle node can hold from one that no node ever can", () => {
    expect(explained([], request({ gpus: 8 }))).toMatchObject({ constraint: "gpus", fitsIdleNode: false });
    expect(explained([], request({ cpuMilli: 64_000 }))).toMatchObject({ constraint: "cpu", fitsIdleNode: false });
  });

  it("does not count cordoned nodes", () => {
    const scheduler = new PoolScheduler();
    scheduler.setCordoned(scheduler.addNode(NODE), true);
    expect(scheduler.explain(request({}))).toEqual({ constraint: "model", fitsIdleNode: false });
  });
});
