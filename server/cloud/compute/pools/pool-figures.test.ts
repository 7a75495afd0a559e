import { expect, it } from "vitest";
import { poolFigures } from "./pool-figures";

const idle = { gpus: 8, usedGpus: 0, spotGpus: 0, isCordoned: false, withheldGpus: 0 };

it("free GPUs are scattered on nodes that are partly in use, and those of cordoned nodes are not free", () => {
  const nodes = [idle, { ...idle, usedGpus: 3, spotGpus: 2 }, { ...idle, usedGpus: 8 }, { ...idle, isCordoned: true }];
  expect(poolFigures(nodes)).toEqual({
    nodes: 4,
    gpus: 32,
    used_gpus: 11,
    spot_gpus: 2,
    free_gpus: 13,
    largest_free: 8,
    scattered_gpus: 5,
  });
});

it("GPUs that are withheld are not free", () => {
  expect(poolFigures([{ ...idle, usedGpus: 3, withheldGpus: 2 }])).toMatchObject({ free_gpus: 3, largest_free: 3 });
});

it("a pool without nodes has nothing", () => {
  expect(poolFigures([])).toMatchObject({ nodes: 0, gpus: 0, free_gpus: 0, largest_free: 0 });
});
