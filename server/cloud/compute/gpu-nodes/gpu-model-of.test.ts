import { expect, it } from "vitest";
import { gpuModelOf } from "./gpu-model-of";

it.each([
  ["NVIDIA H100 80GB HBM3", "h100"],
  ["NVIDIA H100 PCIe", "h100"],
  ["NVIDIA H200 NVL", "h200"],
  ["NVIDIA B200", "b200"],
  ["NVIDIA B300 SXM6 AC", "b300"],
  ["NVIDIA GB200", "gb200"],
  ["NVIDIA GB300", "gb300"],
  ["NVIDIA A100-SXM4-80GB", "a100"],
  ["A100-PCIE-40GB", "a100"],
  ["NVIDIA L40S", "l40s"],
  ["NVIDIA L40", undefined],
  ["NVIDIA A100X", undefined],
  ["NVIDIA GH200 480GB", undefined],
  ["NVIDIA GeForce RTX 4090", undefined],
  ["NVIDIA A100-SXM4-80GB MIG 1g.10gb", undefined],
])("%s is %s", (name, model) => expect(gpuModelOf(name)).toBe(model));
