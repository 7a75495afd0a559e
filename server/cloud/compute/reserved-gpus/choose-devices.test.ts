import { describe, expect, it } from "vitest";
import { chooseDevices, type PoolNode } from "./choose-devices";

const node = (name: string, gpus = 8, domain?: string): PoolNode => ({ name, gpus, domain });
const on = (counts: Record<string, number[]>) =>
  new Map(Object.entries(counts).map(([name, devices]) => [name, new Set(devices)]));

/** The devices by node. */
function chosen(nodes: PoolNode[], count: number, { taken = {}, lent = {} } = {}): Record<string, number[]> {
  const byNode: Record<string, number[]> = {};
  for (const { node: name, device } of chooseDevices({ nodes, taken: on(taken), lent: on(lent) }, count)) {
    byNode[name] = [...(byNode[name] ?? []), device];
  }
  return byNode;
}

const first = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("the devices of a reservation", () => {
  const nodes = [node("a"), node("b"), node("c")];

  it("are whole nodes first, and the rest on the fullest node that has enough", () => {
    expect(chosen(nodes, 12, { taken: { b: [0, 1, 2] } })).toEqual({ a: first(8), b: [3, 4, 5, 6] });
    expect(chosen(nodes, 8, { taken: { a: [0] } })).toEqual({ b: first(8) });
  });

  it("are those without spot pods, if there are enough of them", () => {
    expect(chosen(nodes, 8, { lent: { a: [0], b: [3, 4] } })).toEqual({ c: first(8) });
    expect(chosen(nodes, 4, { taken: { a: [7] }, lent: { a: [0, 1] } })).toEqual({ a: [2, 3, 4, 5] });
  });

  it("are in one NVLink domain if one has enough", () => {
    const racks = [..."abc"].map((name) => node(name, 4, "one")).concat([..."de"].map((name) => node(name, 4, "two")));
    expect(Object.keys(chosen(racks, 8))).toEqual(["d", "e"]);
    expect(Object.keys(chosen(racks, 8, { taken: { e: [0] } }))).toEqual(["a", "b"]);
    expect(Object.keys(chosen(racks, 16))).toEqual(["a", "b", "c", "d"]);
  });

  it("are all that the pool has, if that is not enough, and none twice", () => {
    const all = chooseDevices({ nodes, taken: on({ a: [1] }), lent: on({ b: [2] }) }, 100);
    expect(all).toHaveLength(23);
    expect(new Set(all.map(({ node: name, device }) => `${name} ${device}`)).size).toBe(23);
  });
});
