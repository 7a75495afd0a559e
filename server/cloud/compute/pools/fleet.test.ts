import { describe, expect, it } from "vitest";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { FLEET, nodesOf } from "./fleet";

describe("the fleet", () => {
  it("has NVL72 racks of 18 trays with 4 GPUs in one domain, and different names for all nodes of a pool", () => {
    for (const model of GPU_MODELS) {
      const names = nodesOf(model).map(({ name }) => name);
      expect(new Set(names).size).toBe(FLEET[model].nodes);
    }
    const trays = nodesOf("gb200");
    expect(trays.reduce((sum, { gpus }) => sum + gpus, 0)).toBe(72);
    expect(new Set(trays.map(({ domain }) => domain))).toEqual(new Set(["gb200-rack1"]));
    expect(trays.at(-1)).toMatchObject({ name: "gb200-rack1-tray18", gpus: 4, cpuMilli: 144_000, memoryMib: 983_040 });
    expect(nodesOf("h100")[0]?.domain).toBeNull();
  });
});
