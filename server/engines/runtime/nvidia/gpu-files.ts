import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { withTimeout } from "../../../kernel/with-timeout";
import { isAccessible } from "../../file-failures";
import { runProgram } from "../../programs/run-program";
import { RuntimeError } from "../runtime";
import type { GpuDriver } from "./gpu-driver";
import { readGpus } from "./read-gpus";

/** What a workload needs of the node to use its GPUs. */
export interface GpuFiles {
  /** Device files of the node; each has the same name in the workload. */
  devices: string[];
  /** By the path below `DRIVER_DIR` of the workload: files of the node, which it can only read. */
  driver: ReadonlyMap<string, string>;
}

/** Where images for CUDA look for the driver (their LD_LIBRARY_PATH and PATH name it). */
export const DRIVER_DIR = "/usr/local/nvidia";

/** What every workload with GPUs has besides its own GPUs; those that the node lacks are left out. */
const SHARED_DEVICES = ["nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset"];
/** The user libraries of the driver for CUDA and nvidia-smi, as libnvidia-container lists them. */
const LIBRARIES = [
  "libcuda",
  "libcudadebugger",
  "libnvidia-ml",
  "libnvidia-cfg",
  "libnvidia-ptxjitcompiler",
  "libnvidia-nvvm",
  "libnvidia-gpucomp",
  "libnvidia-opencl",
  "libnvidia-allocator",
  "libnvidia-fatbinaryloader",
  "libnvidia-compiler",
  "libnvidia-pkcs11",
  "libnvidia-pkcs11-openssl3",
];
const ABIS: Partial<Record<NodeJS.Architecture, string>> = { x64: "x86-64", arm64: "AArch64" };
const PROGRAM_DIRS = ["/usr/bin", "/usr/local/bin", "/usr/local/nvidia/bin", "/opt/bin"];
const TIMEOUT_MS = 30_000;

/** The files for these GPUs, by their UUIDs. Throws `start_failed` for one that the node does not have any more. */
export async function gpuFiles(driver: GpuDriver, uuids: readonly string[]): Promise<GpuFiles> {
  const minors = await minorsOf(driver);
  const own = uuids.map((uuid) => {
    const minor = minors.get(uuid);
    if (minor === undefined) throw failed(`its node does not have the GPU ${uuid} any more`);
    return `nvidia${minor}`;
  });
  const fileOf = (name: string) => path.join(`${driver.root}/dev`, name);
  for (const name of own) if (!(await isAccessible(fileOf(name)))) throw failed(`its node has no /dev/${name}`);
  const shared: string[] = [];
  for (const name of SHARED_DEVICES) if (await isAccessible(fileOf(name))) shared.push(name);
  return { devices: [...own, ...shared].map(fileOf), driver: await driverFiles(driver) };
}

/** The number of the device file of each GPU; the driver lists them, and the index of nvidia-smi is the same in most cases. */
async function minorsOf(driver: GpuDriver): Promise<Map<string, number>> {
  const folder = `${driver.root}/proc/driver/nvidia/gpus`;
  const buses = await readdir(folder).catch(() => []);
  const texts = await Promise.all(buses.map((bus) => readFile(path.join(folder, bus, "information"), "utf8")));
  const listed = texts.flatMap((text): [string, number][] => {
    const [uuid, minor] = [/^GPU UUID:\s*(\S+)/m.exec(text)?.[1], /^Device Minor:\s*(\d+)/m.exec(text)?.[1]];
    return uuid !== undefined && minor !== undefined ? [[uuid, Number(minor)]] : [];
  });
  if (listed.length > 0) return new Map(listed);
  return new Map((await readGpus(driver)).map(({ uuid, index }) => [uuid, index]));
}

async function driverFiles({ ldconfig, nvidiaSmi }: GpuDriver): Promise<Map<string, string>> {
  const printed = await withTimeout(TIMEOUT_MS, runProgram(ldconfig, ["-p"]), () => failed("ldconfig does not end"));
  const files = new Map<string, string>();
  for (const [name, file] of librariesOf(printed.toString("utf8"), process.arch))
    files.set(`lib64/${name}`, await realpath(file));
  if (![...files.keys()].some((name) => name.startsWith("lib64/libcuda.so")))
    throw failed("its node has no libcuda.so, which is part of the NVIDIA driver");
  const program = await programFile(nvidiaSmi);
  if (program !== undefined) files.set("bin/nvidia-smi", program);
  return files;
}

/** The driver's libraries by name, of those that `ldconfig -p` prints: the first of each name, which the loader uses. */
export function librariesOf(printed: string, arch: NodeJS.Architecture): Map<string, string> {
  const libraries = new Map<string, string>();
  for (const [, name = "", kind = "", file = ""] of printed.matchAll(/^\s*(\S+) \(([^)]*)\) => (\/.*)$/gm)) {
    const isWanted = LIBRARIES.includes(name.split(".so")[0] ?? "") && kind.split(",")[1] === ABIS[arch];
    if (isWanted && !libraries.has(name)) libraries.set(name, file);
  }
  return libraries;
}

async function programFile(program: string): Promise<string | undefined> {
  const folders = program.includes("/") ? [""] : PROGRAM_DIRS;
  for (const folder of folders) {
    const file = path.join(folder, program);
    if (await isAccessible(file)) return realpath(file);
  }
  return undefined;
}

const failed = (why: string): RuntimeError => new RuntimeError("start_failed", `The workload did not start: ${why}.`);
