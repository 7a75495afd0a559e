import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { GpuDriver } from "../../server/engines/runtime/nvidia/gpu-driver";

export const H100 = "NVIDIA H100 80GB HBM3";
/** Of NVIDIA's character devices. */
const MAJOR = "195";
const ABI = process.arch === "arm64" ? "AArch64" : "x86-64";

export interface DoubleGpu {
  uuid: string;
  name?: string;
  /** What nvidia-smi prints after the memory. */
  state?: string;
}

/**
 * A double of a node's NVIDIA driver: `nvidia-smi` and `ldconfig` are scripts that print what the test sets, a library is
 * a text, and device files exist without a device. The number of each device file differs from the GPU's index.
 */
export function nvidiaDouble(first: readonly DoubleGpu[]): {
  driver: GpuDriver;
  set(gpus: readonly DoubleGpu[]): void;
  close(): void;
} {
  const root = mkdtempSync(path.join(os.tmpdir(), "svc-nvidia-"));
  const file = (name: string) => path.join(root, name);
  const program = (name: string, prints: string) => {
    writeFileSync(file(name), `#!/bin/sh\ncat ${prints}\n`, { mode: 0o755 });
    return file(name);
  };
  mkdirSync(file("dev"));
  for (const name of ["nvidiactl", "nvidia-uvm", ...first.map((_, index) => `nvidia${minorOf(index)}`)])
    makeDevice(file(`dev/${name}`));
  for (const [index, { uuid }] of first.entries()) {
    const folder = file(`proc/driver/nvidia/gpus/0000:0${index}:00.0`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      `${folder}/information`,
      `Model: \t\t ${H100}\nGPU UUID: \t ${uuid}\nDevice Minor: \t ${minorOf(index)}\n`,
    );
  }
  writeFileSync(file("libcuda.so.550.1"), "a double of libcuda\n");
  writeFileSync(
    file("libraries"),
    `2 libs found\n\tlibcuda.so.1 (libc6,${ABI}) => ${file("libcuda.so.550.1")}\n\tlibc.so.6 (libc6,${ABI}) => /nowhere\n`,
  );
  const set = (gpus: readonly DoubleGpu[]) => {
    const lines = gpus.map(
      ({ uuid, name = H100, state = "Disabled, 0, No" }, i) => `${i}, ${uuid}, ${name}, 81559, ${state}\n`,
    );
    writeFileSync(file("gpus"), lines.join(""));
  };
  set(first);
  const driver = {
    nvidiaSmi: program("nvidia-smi", file("gpus")),
    ldconfig: program("ldconfig", file("libraries")),
    root,
  };
  return { driver, set, close: () => rmSync(root, { recursive: true, force: true }) };
}

export const minorOf = (index: number): number => index + 4;

/** Only root may make devices; a file does for what the tests see of it. */
function makeDevice(file: string): void {
  if (process.getuid?.() === 0) execFileSync("mknod", ["-m", "666", file, "c", MAJOR, "255"]);
  else writeFileSync(file, "");
}
