import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseVictims, type EndableRun, type Needed, type VictimNode, type Victims } from "./choose-victims";

interface Scenario {
  about: string;
  needed: Needed;
  nodes: VictimNode[];
  /** null: nothing makes it fit. */
  expected: Victims | null;
}

const folder = path.resolve(import.meta.dirname, "../../../../test/scenarios/spot");
const scenarios = readdirSync(folder).map((name): [string, Scenario] => [
  name,
  JSON.parse(readFileSync(path.join(folder, name), "utf8")),
]);

/** A node of 8 GPUs, of which the runs hold the first ones. */
const nodes: fc.Arbitrary<VictimNode> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(1000), fc.boolean()), { maxLength: 5 })
  .map((sizes) => {
    let next = 0;
    const runs: EndableRun[] = [];
    for (const [size, lostSeconds, isEnding] of sizes) {
      if (next + size > 8) continue;
      const devices = Array.from({ length: size }, (_, i) => next + i);
      runs.push({ runId: `run-${next}`, devices, cpuMilli: 1000, memoryMib: 1, lostSeconds, isEnding });
      next += size;
    }
    const freeDevices = Array.from({ length: 8 - next }, (_, i) => next + i);
    return { node: "a", freeDevices, freeCpuMilli: 0, freeMemoryMib: 100, runs };
  });

describe("victims of an on-demand pod", () => {
  it.each(scenarios)("%s", (_, { about, needed, nodes: given, expected }) => {
    expect(chooseVictims(given, needed) ?? null, about).toEqual(expected);
  });

  it("make room for it, and none of them could stay", () => {
    fc.assert(
      fc.property(nodes, fc.integer({ min: 1, max: 8 }), (node, gpus) => {
        const needed = { gpus, cpuMilli: 0, memoryMib: 0 };
        const victims = chooseVictims([node], needed);
        if (!victims) throw new Error("a node of 8 GPUs holds at most 8");
        expect(new Set(victims.devices).size).toBe(gpus);
        const held = node.runs.filter((run) => run.devices.some((device) => victims.devices.includes(device)));
        const ended = held.filter((run) => !run.isEnding).map(({ runId }) => runId);
        expect(victims.runIds).toEqual(ended);
      }),
    );
  });
});
