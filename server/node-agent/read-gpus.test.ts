import { expect, it } from "vitest";
import { parseGpus, readGpus } from "./read-gpus";

it("reads what nvidia-smi prints, and finds no GPUs without it", async () => {
  const csv = "0, GPU-1f2e, NVIDIA H100 80GB HBM3, 81559\n1, GPU-3a4b, NVIDIA H100 80GB HBM3, [N/A]\n";
  expect(parseGpus(csv)).toEqual([
    { index: 0, uuid: "GPU-1f2e", name: "NVIDIA H100 80GB HBM3", memory_mb: 81559 },
    { index: 1, uuid: "GPU-3a4b", name: "NVIDIA H100 80GB HBM3", memory_mb: 0 },
  ]);
  expect(await readGpus("/no/such/nvidia-smi")).toEqual([]);
});
