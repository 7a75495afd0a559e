import { expect, it } from "vitest";
import type { WorkloadLimits } from "../runtime";
import { containerSpec, type EngineGpuDriver } from "./container-spec";
import { gpuDriverOf } from "./probe-docker";

function specOf(gpuDriver: EngineGpuDriver | undefined, gpus: string[], limits: WorkloadLimits = {}) {
  const env = ["NVIDIA_VISIBLE_DEVICES=all"];
  const program = { command: ["/bin/true"], env, user: "", workingDir: "/", stopSignal: "SIGTERM" as const };
  const rest = {
    processLimits: { nofile: 1, nproc: 1, node: { processes: 20_000, memoryBytes: 1000 } },
    hasDisks: false,
    readOnly: [],
    mounts: [],
    labels: {},
    gpuDriver,
  };
  const spec = containerSpec({
    ...rest,
    allocation: { id: "a", network: "none" as const, gpus, limits },
    program,
    image: "image",
  });
  return spec as { Env: string[]; HostConfig: { DeviceRequests?: object[] } };
}

it.each([
  ["lists CDI devices", { DiscoveredDevices: [{ ID: "nvidia.com/gpu=0" }], Runtimes: { nvidia: {} } }, "cdi"],
  ["has NVIDIA's runtime", { Runtimes: { runc: {}, nvidia: {} }, CDISpecDirs: ["/etc/cdi"] }, "nvidia"],
  ["has CDI, and lists no devices", { Runtimes: { runc: {} }, CDISpecDirs: ["/etc/cdi"] }, "cdi"],
  ["lists no NVIDIA devices", { CDISpecDirs: ["/etc/cdi"], DiscoveredDevices: [{ ID: "other/net=0" }] }, undefined],
  ["has neither", { Runtimes: { runc: {} } }, undefined],
])("an engine that %s", (_, info, driver) => expect(gpuDriverOf(info)).toBe(driver));

it("limits the processes of a container to its share of the node's, which is that of its memory", () => {
  expect(specOf("cdi", []).HostConfig).toMatchObject({ PidsLimit: 4096 });
  expect(specOf("cdi", [], { memoryBytes: 100 }).HostConfig).toMatchObject({ PidsLimit: 2000 });
});

it("gives a container its GPUs as the engine passes them on", () => {
  expect(specOf("cdi", ["GPU-a", "GPU-b"]).HostConfig.DeviceRequests).toEqual([
    { Driver: "cdi", DeviceIDs: ["nvidia.com/gpu=GPU-a", "nvidia.com/gpu=GPU-b"] },
  ]);
  const { Env, HostConfig } = specOf("nvidia", ["GPU-a"]);
  expect(HostConfig.DeviceRequests).toEqual([{ Driver: "nvidia", DeviceIDs: ["GPU-a"], Capabilities: [["gpu"]] }]);
  expect(Env).toContain("NVIDIA_VISIBLE_DEVICES=GPU-a");
  expect(() => specOf(undefined, ["GPU-a"])).toThrow("passes no GPUs on");
});

it("gives a container without GPUs none, whatever its image asks NVIDIA's runtime for", () => {
  expect(specOf("nvidia", [])).toMatchObject({
    Env: expect.arrayContaining(["NVIDIA_VISIBLE_DEVICES=void"]),
    HostConfig: expect.not.objectContaining({ DeviceRequests: expect.anything() }),
  });
});
