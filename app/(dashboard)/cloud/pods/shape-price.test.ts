import { expect, it } from "vitest";
import { podCatalog } from "../../../../server/cloud/pods/pod-catalog";
import { priceNanosPerHour } from "../../../../server/cloud/pods/pod-cost";
import { pricePerHour } from "./shape-price";

const catalog = podCatalog("USD");

it("shows the price that the server meters, for every GPU model and without one", () => {
  const models = [null, ...catalog.gpus.map(({ model }) => model)];
  for (const gpu of models) {
    for (const [cpu, memoryMb, spot] of [
      [1, 512, false] as const,
      [7, 100, true] as const,
      [256, 4_194_304, true] as const,
    ]) {
      const gpuCount = gpu === null ? 0 : 4;
      const purchase = spot && gpu !== null ? "spot" : "on_demand";
      const shown = pricePerHour(catalog, {
        ...{
          purchase: spot ? "spot" : "on_demand",
          gpu: gpu ?? "",
          gpuCount: "4",
          cpu: String(cpu),
          memoryMb: String(memoryMb),
        },
      });
      const metered = Number(priceNanosPerHour({ purchase, gpu, gpuCount, cpu, memoryMb }));
      expect(Math.round((shown ?? 0) * 1e9)).toBe(metered);
    }
  }
});

it("shows no price for what is no shape: an empty field, a fraction, more GPUs than a node has", () => {
  const shape = { purchase: "on_demand", gpu: "gb200", gpuCount: "4", cpu: "1", memoryMb: "512" };
  expect(pricePerHour(catalog, shape)).toBeGreaterThan(0);
  for (const change of [{ gpuCount: "5" }, { gpuCount: "" }, { cpu: "" }, { cpu: "1.5" }, { memoryMb: "-1" }]) {
    expect(pricePerHour(catalog, { ...shape, ...change })).toBeUndefined();
  }
});
