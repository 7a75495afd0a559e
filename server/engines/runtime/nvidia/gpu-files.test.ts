import { expect, it } from "vitest";
import { minorOf, nvidiaDouble } from "../../../../test/factories/nvidia-double";
import { openForFile } from "../../../../test/factories/open-for-file";
import { gpuFiles, librariesOf } from "./gpu-files";
import { driverPaths } from "./gpu-variables";

const nvidia = await openForFile(nvidiaDouble([{ uuid: "GPU-a" }, { uuid: "GPU-b" }]));

it("finds the device file of a GPU by its UUID, the shared ones that exist, and the driver", async () => {
  const { driver } = nvidia;
  const { root } = driver;
  const files = await gpuFiles(driver, ["GPU-b"]);
  const names = [`nvidia${minorOf(1)}`, "nvidiactl", "nvidia-uvm"];
  expect(files.devices).toEqual(names.map((name) => `${root}/dev/${name}`));
  expect([...files.driver]).toEqual([
    ["lib64/libcuda.so.1", `${root}/libcuda.so.550.1`],
    ["bin/nvidia-smi", driver.nvidiaSmi],
  ]);
});

it("fails for a GPU that the node does not have any more", async () => {
  await expect(gpuFiles(nvidia.driver, ["GPU-a", "GPU-c"])).rejects.toMatchObject({
    reason: "start_failed",
    message: "The workload did not start: its node does not have the GPU GPU-c any more.",
  });
});

it("takes the driver's libraries of this architecture, the first of each name", () => {
  const printed = `5 libs found in cache
\tlibcuda.so.1 (libc6) => /usr/lib32/libcuda.so.1
\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/libcuda.so.1
\tlibcuda.so.1 (libc6,x86-64) => /old/libcuda.so.1
\tlibnvidia-ml.so.1 (libc6,x86-64, OS ABI: Linux 2.3.99) => /usr/lib/libnvidia-ml.so.1
\tlibnvidia-glcore.so.550 (libc6,x86-64) => /usr/lib/libnvidia-glcore.so.550
`;
  expect([...librariesOf(printed, "x64")]).toEqual([
    ["libcuda.so.1", "/usr/lib/libcuda.so.1"],
    ["libnvidia-ml.so.1", "/usr/lib/libnvidia-ml.so.1"],
  ]);
});

it("adds the driver to the search paths of an image once", () => {
  const env = ["LD_LIBRARY_PATH=/usr/local/nvidia/lib64:/opt/lib", "PATH=/bin"];
  expect(driverPaths(env, "/usr/bin")).toEqual([
    "LD_LIBRARY_PATH=/opt/lib:/usr/local/nvidia/lib64",
    "PATH=/bin:/usr/local/nvidia/bin",
  ]);
  expect(driverPaths([], "/usr/bin")[1]).toBe("PATH=/usr/bin:/usr/local/nvidia/bin");
});
