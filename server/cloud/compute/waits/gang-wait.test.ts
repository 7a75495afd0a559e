import { describe, expect, it } from "vitest";
import type { Ending } from "./expected-wait";
import type { GangNode } from "./gang-fit";
import { type GangWaitInput, gangWait } from "./gang-wait";

const now = new Date("2026-11-20T09:00:00Z");

const ending = (seconds: number, given: Partial<Ending> = {}): Ending => ({
  node: "n1",
  devices: [],
  cpuMilli: 0,
  memoryMib: 0,
  isEnding: false,
  at: new Date(now.getTime() + seconds * 1000),
  ...given,
});
const node = (name: string, devices: number[], domain: string | null = null): GangNode => ({
  node: name,
  devices,
  cpuMilli: 64_000,
  memoryMib: 65_536,
  domain,
});
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];

/** Two pods with 8 GPUs each, on two nodes of 8 of which one is free. */
const facts = (given: Partial<GangWaitInput>): GangWaitInput => ({
  now,
  members: 2,
  needed: { gpus: 8, cpuMilli: 1000, memoryMib: 512 },
  isSingle: false,
  mayReclaim: false,
  free: [node("n1", []), node("n2", EIGHT)],
  endings: [],
  freeNodes: undefined,
  isNext: true,
  isAllowedAt: () => true,
  ...given,
});

describe("the expected wait of a gang", () => {
  it("lasts until known ends have freed enough for all of its pods together", () => {
    const endings = [ending(20, { devices: [0, 1, 2, 3] }), ending(90, { devices: [4, 5, 6, 7] })];
    expect(gangWait(facts({ endings }))).toEqual({
      seconds: 90,
      samples: 0,
      basis: "Pods and reservations that reach their end free enough for its 2 pods together by then at the latest.",
    });
    const soon = endings.map((one) => ({ ...one, isEnding: true }));
    expect(gangWait(facts({ endings: soon }))?.basis).toMatch(/^Pods that are ending free enough/);
  });

  it("is unknown where no known end makes room, or others are before it", () => {
    expect(gangWait(facts({ endings: [ending(20, { devices: [0, 1, 2] })] }))).toBeNull();
    expect(gangWait(facts({ endings: [ending(20, { node: "cordoned", devices: EIGHT })] }))).toBeNull();
    const endings = [ending(20, { devices: EIGHT })];
    expect(gangWait(facts({ endings, isNext: false }))).toBeNull();
    expect(gangWait(facts({ endings, isAllowedAt: () => false }))).toBeNull();
  });

  it("counts a device once that a run and a reservation free, and the cores and memory of each node", () => {
    const twice = [ending(10, { devices: [0, 1, 2, 3] }), ending(20, { devices: [0, 1, 2, 3] })];
    expect(gangWait(facts({ endings: twice }))).toBeNull();
    const free = [{ ...node("n1", EIGHT), cpuMilli: 500 }, node("n2", EIGHT)];
    expect(gangWait(facts({ free, endings: [ending(30, { cpuMilli: 500 })] }))).toMatchObject({ seconds: 30 });
  });

  it("is until one domain holds all of its pods, if they must share one", () => {
    const free = [node("a1", [], "a"), node("a2", EIGHT, "a"), node("b1", EIGHT, "b"), node("c1", EIGHT)];
    const endings = [ending(40, { node: "c1", devices: EIGHT }), ending(60, { node: "a1", devices: EIGHT })];
    expect(gangWait(facts({ free, endings, isSingle: true }))).toMatchObject({ seconds: 60 });
  });

  it("adds the notice of spot pods from when they alone are in its way, but only where it may take from them", () => {
    const spot = ending(900, { devices: [4, 5, 6, 7], isReclaimable: true });
    const endings = [spot, ending(100, { devices: [0, 1, 2, 3] })];
    const wait = gangWait(facts({ endings, mayReclaim: true }));
    expect(wait).toMatchObject({ seconds: 130, basis: expect.stringContaining("30 seconds of notice") });
    expect(gangWait(facts({ endings }))).toMatchObject({ seconds: 900 });
    const now = [{ ...spot, devices: EIGHT }];
    expect(gangWait(facts({ endings: now, mayReclaim: true }))).toMatchObject({ seconds: 30 });
  });

  it("is also until nodes have the memory of all of its pods, each on one node", () => {
    const node = (name: string, memoryMib: number) => ({ node: name, devices: [], cpuMilli: 0, memoryMib });
    const endings = [ending(20, { devices: EIGHT })];
    const freeNodes = {
      free: [node("m1", 300), node("m2", 800)],
      endings: [ending(10, { node: "m2", memoryMib: 200 }), ending(50, { node: "m1", memoryMib: 300 })],
    };
    expect(gangWait(facts({ endings, freeNodes }))).toMatchObject({ seconds: 50 });
    expect(gangWait(facts({ endings, freeNodes: { ...freeNodes, endings: [] } }))).toBeNull();
  });
});
