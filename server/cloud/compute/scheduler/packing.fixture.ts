import fc from "fast-check";
import type { GpuRequest, NodeSpec } from "./gpu-request";

export const NODE_SPECS: readonly NodeSpec[] = [
  { cpuMilli: 96_000, memoryMib: 393_216, gpus: 8, model: "G2" },
  { cpuMilli: 32_000, memoryMib: 131_072, gpus: 4, model: "V100" },
  { cpuMilli: 104_000, memoryMib: 524_288, gpus: 2, model: "T4" },
  { cpuMilli: 64_000, memoryMib: 65_536, gpus: 0, model: "" },
];

/** A few kinds of requests, so that kinds repeat in a random series. */
export const REQUESTS: readonly GpuRequest[] = [
  request({ cpuMilli: 4000, gpus: 1, gpuMilli: 500 }),
  request({ cpuMilli: 2000, gpus: 1, gpuMilli: 810 }),
  request({ cpuMilli: 1000, gpus: 1, gpuMilli: 190, models: ["T4", "V100"] }),
  request({ cpuMilli: 11_000, gpus: 1, gpuMilli: 1000 }),
  request({ cpuMilli: 16_000, gpus: 2, gpuMilli: 1000, models: ["G2"] }),
  request({ cpuMilli: 64_000, memoryMib: 262_144, gpus: 8, gpuMilli: 1000 }),
  request({ cpuMilli: 30_000, gpus: 0, gpuMilli: 0 }),
];

export function request(given: Partial<GpuRequest>): GpuRequest {
  return { cpuMilli: 1000, memoryMib: 4096, gpus: 1, gpuMilli: 1000, models: [], ...given };
}

export type Turn =
  | { kind: "place"; which: number }
  | { kind: "release" | "cordon" | "uncordon" | "remove"; which: number }
  | { kind: "add"; which: number };

/** Mostly placements and releases, and now and then a change of the nodes. */
export const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: turn("place", REQUESTS.length) },
    { weight: 6, arbitrary: turn("release", 1000) },
    { weight: 1, arbitrary: turn("cordon", 1000) },
    { weight: 1, arbitrary: turn("uncordon", 1000) },
    { weight: 1, arbitrary: turn("remove", 1000) },
    { weight: 2, arbitrary: turn("add", NODE_SPECS.length) },
  ),
  { maxLength: 150, size: "max" },
);

function turn(kind: Turn["kind"], choices: number): fc.Arbitrary<Turn> {
  return fc.nat(choices - 1).map((which) => ({ kind, which }));
}
