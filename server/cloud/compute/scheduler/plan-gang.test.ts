import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GangNode, planGang } from "./plan-gang";

const node = (name: string, fields: Partial<GangNode> = {}): GangNode => ({
  node: name,
  domain: null,
  membersMax: 2,
  freeGpus: 0,
  endableGpus: 0,
  ...fields,
});
const placesOf = (nodes: GangNode[], members: number, isSingle = false) =>
  planGang(nodes, { members, gpus: 4, isSingle })?.places;

describe("the nodes for a gang that waits", () => {
  it("are those where the fewest further GPUs are missing, and of spot pods where the fewest are ended", () => {
    const nodes = [node("a", { freeGpus: 1 }), node("b", { freeGpus: 3 }), node("c", { endableGpus: 4 })];
    expect(placesOf(nodes, 1)).toEqual([{ node: "c", members: 1 }]);
    expect(placesOf(nodes, 2)?.map((place) => place.node)).toEqual(["c", "b"]);
    expect(planGang(nodes, { members: 2, gpus: 4, isSingle: false })).toMatchObject({ missingGpus: 1, endedGpus: 4 });
  });

  it("are few, and in one domain if they must be", () => {
    const idle = { freeGpus: 8 };
    expect(placesOf([node("a", idle), node("b", idle)], 2)).toEqual([{ node: "a", members: 2 }]);
    const racks = [
      node("a", { ...idle, domain: "x" }),
      node("b", { domain: "x", freeGpus: 0 }),
      ...["c", "d"].map((name) => node(name, { domain: "y", freeGpus: 7 })),
    ];
    expect(placesOf(racks, 4)).toHaveLength(3);
    expect(placesOf(racks, 4, true)?.map((place) => place.node)).toEqual(["c", "d"]);
  });

  it("cost as little as any other choice, and are none if the pool is too small", () => {
    const nodes = fc.array(
      fc.record({ membersMax: fc.nat(2), freeGpus: fc.nat(8), endableGpus: fc.nat(4) }).map((one) => node("", one)),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(nodes, fc.integer({ min: 1, max: 6 }), (pool, members) => {
        const named = pool.map((one, i) => ({ ...one, node: `${i}` }));
        const plan = planGang(named, { members, gpus: 4, isSingle: false });
        const best = cheapest(named, members);
        expect(plan && plan.missingGpus * 1000 + plan.endedGpus).toBe(best);
        expect(plan?.places.reduce((sum, place) => sum + place.members, 0)).toBe(plan && members);
      }),
    );
  });
});

/** The least cost over all ways to divide the members, with 1000 for each GPU that is missing; undefined: there is none. */
function cheapest([first, ...rest]: readonly GangNode[], members: number): number | undefined {
  if (!first) return members === 0 ? 0 : undefined;
  let best: number | undefined;
  for (let count = 0; count <= Math.min(first.membersMax, members); count++) {
    const others = cheapest(rest, members - count);
    if (others === undefined) continue;
    const lacking = Math.max(0, count * 4 - first.freeGpus);
    const ended = Math.min(lacking, first.endableGpus);
    const cost = others + (lacking - ended) * 1000 + ended;
    if (best === undefined || cost < best) best = cost;
  }
  return best;
}
