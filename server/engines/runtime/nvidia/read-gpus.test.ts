import { expect, it } from "vitest";
import { parseGpus, readGpus } from "./read-gpus";

const H100 = "NVIDIA H100 80GB HBM3";

it("reads what nvidia-smi prints, and finds no GPUs without it", async () => {
  const csv = `0, GPU-1f2e, ${H100}, 81559, Disabled, 0, [N/A]\n1, GPU-3a4b, ${H100}, [N/A]\n\nNo devices\n`;
  expect(parseGpus(csv)).toEqual([
    { index: 0, uuid: "GPU-1f2e", name: H100, memory_mb: 81559, problem: null },
    { index: 1, uuid: "GPU-3a4b", name: H100, memory_mb: 0, problem: null },
  ]);
  expect(await readGpus({ nvidiaSmi: "/no/such/nvidia-smi" })).toEqual([]);
});

it.each([
  ["81559, Enabled, 0, No", "MIG"],
  ["81559, Disabled, 3, No", "3 uncorrected ECC errors"],
  ["81559, Disabled, 0, Yes", "retired"],
  ["[Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error]", "Unknown Error"],
  ["[GPU requires reset], Disabled, 0, No", "requires reset"],
])("says why no pod may have a GPU: %s", (rest, problem) => {
  expect(parseGpus(`0, GPU-1f2e, ${H100}, ${rest}`)[0]?.problem).toContain(problem);
});
