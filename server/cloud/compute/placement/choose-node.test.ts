import { describe, expect, it } from "vitest";
import { chooseNode } from "./choose-node";

const runner = (id: string, memoryMb: number, usedMb: number) => ({ id, memoryMb, usedMb });

describe("a pod runs", () => {
  it("on the machine with the most free memory, the first among equals", () => {
    const runners = [runner("a", 1000, 900), runner("b", 800, 100), runner("c", 1000, 300)];
    expect(chooseNode(runners, { memoryMb: 700 })).toEqual({ runnerId: "b" });
  });

  it("nowhere if its memory is not free on one machine, and the reason says how much is", () => {
    expect(chooseNode([runner("a", 1000, 900)], { memoryMb: 101 })).toEqual({
      code: "no_memory",
      message: "The pod needs 101 MiB of memory; 100 of 1000 MiB are free on this installation.",
    });
    expect(chooseNode([runner("a", 1000, 1200)], { memoryMb: 64 })).toMatchObject({
      message: expect.stringContaining("0 of 1000"),
    });
  });

  it("where its volume is, or else where there is disk for one", () => {
    const disk = (volumesGb: number | null, usedVolumesGb: number) => ({ volumesGb, usedVolumesGb });
    const runners = [
      { ...runner("home", 1000, 800), ...disk(10, 10) },
      { ...runner("full", 1000, 0), ...disk(10, 6) },
      { ...runner("free", 1000, 100), ...disk(20, 6) },
    ];
    expect(chooseNode(runners, { memoryMb: 200, volumeGb: 8, homeId: "home" })).toEqual({ runnerId: "home" });
    expect(chooseNode(runners, { memoryMb: 201, volumeGb: 8, homeId: "home" })).toEqual({ runnerId: "free" });
    expect(chooseNode(runners, { memoryMb: 64, volumeGb: 15 })).toEqual({
      code: "no_disk",
      message: "The pod needs 15 GiB of disk for its volume; 14 of 20 GiB are free on the machine with the most room.",
    });
    expect(chooseNode(runners, { memoryMb: 950, volumeGb: 8 })).toMatchObject({ code: "no_memory" });
    expect(chooseNode([{ ...runner("any", 100, 0), ...disk(null, 90) }], { memoryMb: 64, volumeGb: 99 })).toEqual({
      runnerId: "any",
    });
  });

  it("where the disk has 256 MiB for it and all of a new volume, and the reason says how much is free", () => {
    const disk = (diskMb: number | null, usedDiskMb = 0) => ({ diskMb, usedDiskMb });
    const runners = [
      { ...runner("full", 1000, 0), ...disk(2100, 1900) },
      { ...runner("free", 500, 0), ...disk(3072) },
    ];
    expect(chooseNode(runners, { memoryMb: 64 })).toEqual({ runnerId: "free" });
    expect(chooseNode(runners, { memoryMb: 600 })).toMatchObject({ code: "no_memory" });
    expect(chooseNode(runners, { memoryMb: 64, volumeGb: 2 })).toEqual({ runnerId: "free" });
    expect(chooseNode(runners, { memoryMb: 64, volumeGb: 3 })).toEqual({
      code: "no_disk",
      message: "The pod needs 3328 MiB of disk; 3072 of 3072 MiB are free on the machine with the most room.",
    });
    // Its volume is there already.
    expect(chooseNode(runners, { memoryMb: 64, volumeGb: 9, homeId: "free" })).toEqual({ runnerId: "free" });
    expect(chooseNode([{ ...runner("any", 1000, 0), ...disk(null, 9000) }], { memoryMb: 64 })).toEqual({
      runnerId: "any",
    });
  });

  it("nowhere without a machine", () => {
    expect(chooseNode([], { memoryMb: 64 })).toMatchObject({ code: "no_machine" });
  });
});
