import { expect, it } from "vitest";
import { FieldError } from "../../../trpc/failure";
import { NEW_SHAPE, shapeInput, withNearest } from "./shape";

it("sends only what the shape can have", () => {
  const all = { ...NEW_SHAPE, gpuCount: "2", region: "euw", gangName: " llama ", gangSize: "4" };
  expect(shapeInput(all)).toEqual({ cpu: 1, memory_mb: 512 });
  expect(shapeInput({ ...all, volumeGb: "50" })).toEqual({
    cpu: 1,
    memory_mb: 512,
    volume: { size_gb: 50, mount_path: "/workspace" },
  });
  expect(shapeInput({ ...all, gpu: "h100" })).toEqual({
    gpu: "h100",
    gpu_count: 2,
    region: "euw",
    cpu: 1,
    memory_mb: 512,
    gang: { name: "llama", size: 4 },
  });
  expect(shapeInput({ ...all, gpu: "h100", purchase: "spot", autoResume: false, gangName: "", gangSize: "" })).toEqual({
    gpu: "h100",
    gpu_count: 2,
    region: "euw",
    cpu: 1,
    memory_mb: 512,
    spot: true,
    auto_resume: false,
  });
  expect(shapeInput({ ...all, gpu: "h100", purchase: "spot", reservation: "rsv_1" })).toEqual({
    reservation_id: "rsv_1",
    gpu_count: 2,
    cpu: 1,
    memory_mb: 512,
    gang: { name: "llama", size: 4 },
  });
});

it("names the field that is no number, or missing", () => {
  const paramOf = (changed: Partial<typeof NEW_SHAPE>) => {
    try {
      return shapeInput({ ...NEW_SHAPE, gpu: "h100", ...changed });
    } catch (thrown) {
      return thrown instanceof FieldError ? thrown.param : thrown;
    }
  };
  expect(paramOf({ cpu: "" })).toBe("cpu");
  expect(paramOf({ volumeGb: "large" })).toBe("volume_gb");
  expect(paramOf({ gpuCount: "two" })).toBe("gpu_count");
  expect(paramOf({ gangName: "llama" })).toBe("gang_size");
  expect(paramOf({ gangSize: "2" })).toBe("gang_name");
});

it("takes what a suggested shape has", () => {
  const near = { gpu: "h100", gpu_count: 2, region: "euw", cpu: 4, memory_mb: 256, note: "" } as const;
  expect(withNearest({ ...NEW_SHAPE, gpu: "h100", purchase: "spot" }, near)).toMatchObject({
    gpu: "h100",
    purchase: "spot",
    gpuCount: "2",
    region: "euw",
    cpu: "4",
    memoryMb: "256",
  });
  const without = { ...near, gpu: null, gpu_count: 0, region: null };
  expect(withNearest(NEW_SHAPE, without)).toMatchObject({ gpu: "", gpuCount: "1", region: "use", memoryMb: "256" });
});
