import { expect, it } from "vitest";
import { containerSpec, type EngineGpuDriver } from "./container-spec";
import { gpuDriverOf } from "./probe-docker";

function specOf(gpuDriver: EngineGpuDriver | undefined, gpus: string[]) {
  const env = ["NVIDIA_VISIBLE_DEVICES=all"];
  const program = { command: ["/bin/true"], env, user: "", workingDir: "/", stopSignal: "SIGTERM" as const };
  const limits = {
    processLimits: { nofile: 1, nproc: 1 },
    hasDisks: false,
    readOnly: [],
    mounts: [],
    labels: {},
    gpuDriver,
  };
  const spec = containerSpec({
    ...limits,
    allocation: { id: "a", network: "none" as const, gpus },
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
