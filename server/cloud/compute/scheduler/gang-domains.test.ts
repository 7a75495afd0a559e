import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roomOnNode } from "./gang-domains";
import type { NodeSpec } from "./gpu-request";
import { request } from "./packing.fixture";
import { PoolScheduler } from "./pool-scheduler";

const TRAY: NodeSpec = { cpuMilli: 144_000, memoryMib: 960_000, gpus: 4, model: "GB200" };
const RACKS = 4;
const TRAYS = 18;

function racks(): PoolScheduler {
  const scheduler = new PoolScheduler();
  for (let rack = 0; rack < RACKS; rack++) {
    for (let tray = 0; tray < TRAYS; tray++) scheduler.addNode({ ...TRAY, domain: `rack ${rack}` });
  }
  return scheduler;
}

const member = request({ cpuMilli: 100_000, gpus: 4 });
const idleTrays = (scheduler: PoolScheduler, rack: number) =>
  Array.from({ length: TRAYS }, (_, tray) => rack * TRAYS + tray).filter((node) => scheduler.table.isUnused(node))
    .length;
const rackOf = (node: number) => Math.floor(node / TRAYS);

describe("gangs", () => {
  it("are placed whole or not at all, in one rack whenever one rack can hold them", () => {
    const gangs = fc.array(
      fc.record({ members: fc.integer({ min: 1, max: 40 }), isSingle: fc.boolean(), releases: fc.nat(5) }),
      { maxLength: 25, size: "max" },
    );
    fc.assert(
      fc.property(gangs, (series) => {
        const scheduler = racks();
        const live: NonNullable<ReturnType<typeof scheduler.placeGang>>[] = [];
        for (const { members, isSingle, releases } of series) {
          const free = Array.from({ length: RACKS }, (_, rack) => idleTrays(scheduler, rack));
          const total = free.reduce((sum, count) => sum + count, 0);
          const placed = scheduler.placeGang(member, { members, isSingle });
          const after = Array.from({ length: RACKS }, (_, rack) => idleTrays(scheduler, rack));
          const isHeldByOne = Math.max(...free) >= members;
          expect(placed !== undefined).toBe(isSingle ? isHeldByOne : total >= members);
          expect(total - after.reduce((sum, count) => sum + count, 0)).toBe(placed ? members : 0);
          if (placed) {
            const used = new Set(placed.map(({ node }) => rackOf(node)));
            expect(used.size).toBe(fewest(free, members));
            live.push(placed);
          }
          for (let i = 0; i < releases && live.length > 3; i++)
            for (const one of live.shift() ?? []) scheduler.release(one);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("take the rack with the least room that holds them, so that whole racks stay free", () => {
    const scheduler = racks();
    scheduler.placeGang(member, { members: 10, isSingle: true });
    scheduler.placeGang(member, { members: 8, isSingle: true });
    expect([0, 1, 2, 3].map((rack) => idleTrays(scheduler, rack))).toEqual([0, 18, 18, 18]);
  });

  it("leave nothing behind when a member cannot be placed", () => {
    const scheduler = racks();
    expect(scheduler.placeGang(member, { members: RACKS * TRAYS + 1, isSingle: false })).toBeUndefined();
    for (let node = 0; node < RACKS * TRAYS; node++) expect(scheduler.table.isUnused(node)).toBe(true);
  });

  it("leave nothing behind when a member fails after others were placed", () => {
    const scheduler = racks();
    const { table } = scheduler;
    const take = table.take.bind(table);
    let taken = 0;
    table.take = (...given) => {
      if (++taken === 5) throw new RangeError("the device cannot hold the request");
      return take(...given);
    };
    expect(() => scheduler.placeGang(member, { members: 8, isSingle: true })).toThrow(RangeError);
    for (let node = 0; node < RACKS * TRAYS; node++) expect(table.isUnused(node)).toBe(true);
  });

  it("share as few nodes as they can", () => {
    const scheduler = racks();
    const placed = scheduler.placeGang(request({ gpus: 1 }), { members: 8, isSingle: true });
    expect(new Set(placed?.map(({ node }) => node)).size).toBe(2);
  });

  it("find as many places on a node as members can then be placed one after another", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 999 }), (taken, gpuMilli) => {
        const scheduler = new PoolScheduler();
        const node = scheduler.addNode(TRAY);
        for (const milli of taken) scheduler.place(request({ cpuMilli: 20_000, gpuMilli: milli }));
        const room = roomOnNode(scheduler.table, request({ cpuMilli: 20_000, gpuMilli }), node);
        let placed = 0;
        while (scheduler.place(request({ cpuMilli: 20_000, gpuMilli }))) placed++;
        expect(room).toBe(placed);
      }),
    );
  });
});

/** The fewest racks that hold the members, the emptiest first. */
function fewest(free: readonly number[], members: number): number {
  let left = members;
  let used = 0;
  for (const count of free.toSorted((a, b) => b - a)) {
    if (left <= 0) return used;
    left -= count;
    used++;
  }
  return used;
}
