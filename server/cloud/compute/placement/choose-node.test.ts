import { describe, expect, it } from "vitest";
import { chooseNode } from "./choose-node";

const node = (id: string, memoryMb: number, usedMb: number) => ({ id, memoryMb, usedMb });

describe("a pod runs", () => {
  it("on the node with the most free memory, the first among equals", () => {
    const nodes = [node("a", 1000, 900), node("b", 800, 100), node("c", 1000, 300)];
    expect(chooseNode(nodes, { memoryMb: 700 })).toEqual({ nodeId: "b" });
  });

  it("nowhere if its memory is not free on one node, and the reason says how much is", () => {
    expect(chooseNode([node("a", 1000, 900)], { memoryMb: 101 })).toEqual({
      code: "no_memory",
      message: "The pod needs 101 MiB of memory; 100 of 1000 MiB are free on this installation.",
    });
    expect(chooseNode([node("a", 1000, 1200)], { memoryMb: 64 })).toMatchObject({
      message: expect.stringContaining("0 of 1000"),
    });
  });

  it("where its volume is, or else where there is disk for one", () => {
    const disk = (volumesGb: number | null, usedVolumesGb: number) => ({ volumesGb, usedVolumesGb });
    const nodes = [
      { ...node("home", 1000, 800), ...disk(10, 10) },
      { ...node("full", 1000, 0), ...disk(10, 6) },
      { ...node("free", 1000, 100), ...disk(20, 6) },
    ];
    expect(chooseNode(nodes, { memoryMb: 200, volumeGb: 8, homeId: "home" })).toEqual({ nodeId: "home" });
    expect(chooseNode(nodes, { memoryMb: 201, volumeGb: 8, homeId: "home" })).toEqual({ nodeId: "free" });
    expect(chooseNode(nodes, { memoryMb: 64, volumeGb: 15 })).toEqual({
      code: "no_disk",
      message: "The pod needs 15 GiB of disk for its volume; 14 of 20 GiB are free on the node with the most room.",
    });
    expect(chooseNode(nodes, { memoryMb: 950, volumeGb: 8 })).toMatchObject({ code: "no_memory" });
    expect(chooseNode([{ ...node("any", 100, 0), ...disk(null, 90) }], { memoryMb: 64, volumeGb: 99 })).toEqual({
      nodeId: "any",
    });
  });

  it("where the disk has 256 MiB for it and all of a new volume, and the reason says how much is free", () => {
    const disk = (diskMb: number | null, usedDiskMb = 0) => ({ diskMb, usedDiskMb });
    const nodes = [
      { ...node("full", 1000, 0), ...disk(2100, 1900) },
      { ...node("free", 500, 0), ...disk(3072) },
    ];
    expect(chooseNode(nodes, { memoryMb: 64 })).toEqual({ nodeId: "free" });
    expect(chooseNode(nodes, { memoryMb: 600 })).toMatchObject({ code: "no_memory" });
    expect(chooseNode(nodes, { memoryMb: 64, volumeGb: 2 })).toEqual({ nodeId: "free" });
    expect(chooseNode(nodes, { memoryMb: 64, volumeGb: 3 })).toEqual({
      code: "no_disk",
      message: "The pod needs 3328 MiB of disk; 3072 of 3072 MiB are free on the node with the most room.",
    });
    // Its volume is there already.
    expect(chooseNode(nodes, { memoryMb: 64, volumeGb: 9, homeId: "free" })).toEqual({ nodeId: "free" });
    expect(chooseNode([{ ...node("any", 1000, 0), ...disk(null, 9000) }], { memoryMb: 64 })).toEqual({
      nodeId: "any",
    });
  });

  it("nowhere without a node", () => {
    expect(chooseNode([], { memoryMb: 64 })).toMatchObject({ code: "no_node" });
  });
});
