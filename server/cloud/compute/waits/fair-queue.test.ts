import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type HeldGpus, type WaitingRun } from "./fair-queue";

interface Run extends WaitingRun {
  name: string;
}

const run = (name: string, fields: Partial<Run> = {}): Run => ({
  name,
  tenantId: name.slice(0, 1),
  spot: false,
  pool: "use/h100",
  gpuCount: 1,
  createdAt: new Date(Number(name.slice(1)) * 1000),
  ...fields,
});

/** The order if `room` GPUs become free and every run that still fits is placed. */
function order(
  waiting: readonly Run[],
  { held = [], room = 100, weights }: { held?: HeldGpus[]; room?: number; weights?: ReadonlyMap<string, number> } = {},
): string[] {
  const queue = new FairQueue(waiting, held, weights);
  const placed: string[] = [];
  let left = room;
  for (let next = queue.next(); next; next = queue.next()) {
    if (next.gpuCount > left) continue;
    left -= next.gpuCount;
    queue.placed(next);
    placed.push(next.name);
  }
  return placed;
}

describe("waiting runs", () => {
  it("of a tenant with many and of one with few are placed in turns", () => {
    const many = [1, 2, 3, 4, 5, 6].map((second) => run(`a${second}`));
    expect(order([...many, run("b7"), run("b8")])).toEqual(["a1", "b7", "a2", "b8", "a3", "a4", "a5", "a6"]);
    expect(order([...many, run("b7"), run("b8")], { room: 4 })).toEqual(["a1", "b7", "a2", "b8"]);
  });

  it("of a tenant that holds GPUs of the pool come after those of the others, of another pool they do not", () => {
    const held = [{ tenantId: "a", pool: "use/h100", gpus: 2 }];
    expect(order([run("a1"), run("b2"), run("b3"), run("b4")], { held })).toEqual(["b2", "b3", "a1", "b4"]);
    expect(order([run("a1", { pool: "use/a100" }), run("b2")], { held })).toEqual(["a1", "b2"]);
  });

  it("count by their GPUs", () => {
    const large = [run("a1", { gpuCount: 4 }), run("a2", { gpuCount: 4 })];
    const small = [3, 4, 5, 6, 7].map((second) => run(`b${second}`));
    expect(order([...large, ...small])).toEqual(["a1", "b3", "b4", "b5", "b6", "a2", "b7"]);
  });

  it("that do not fit take no turn of their tenant", () => {
    const waiting = [run("a1", { gpuCount: 8 }), run("a2"), run("b3"), run("b4")];
    expect(order(waiting, { room: 3 })).toEqual(["a2", "b3", "b4"]);
  });

  it("on demand come before all that are spot, and the oldest first of one tenant or without GPUs", () => {
    const spot = run("b1", { spot: true });
    expect(order([spot, run("a3"), run("a2")])).toEqual(["a2", "a3", "b1"]);
    const without = { pool: null, gpuCount: 0 };
    expect(order([run("a2", without), run("b1", without), run("a3", without)])).toEqual(["b1", "a2", "a3"]);
  });

  it("of tenants with weights get GPUs in proportion to them", () => {
    const many = (tenant: string) => Array.from({ length: 12 }, (_, i) => run(`${tenant}${i}`));
    const weights = new Map([["a", 3]]);
    const placed = order([...many("a"), ...many("b")], { room: 12, weights });
    expect([placed.filter((name) => name[0] === "a").length, placed.length]).toEqual([9, 12]);
  });

  it("never leave a tenant waiting behind one that has more for its weight, except for the last run of that one", () => {
    const tenants = fc.array(
      fc.record({ weight: fc.integer({ min: 1, max: 9 }), held: fc.nat(20), runs: fc.nat(20) }),
      { minLength: 2, maxLength: 5 },
    );
    fc.assert(
      fc.property(tenants, fc.nat(60), (given, room) => {
        const names = given.map((_, i) => String.fromCharCode(97 + i));
        const waiting = given.flatMap(({ runs }, i) => Array.from({ length: runs }, (_, k) => run(`${names[i]}${k}`)));
        const held = given.map(({ held: gpus }, i) => ({ tenantId: names[i] as string, pool: "use/h100", gpus }));
        const weights = new Map(given.map(({ weight }, i) => [names[i] as string, weight]));
        const placed = order(waiting, { held, room, weights });
        expect(placed).toHaveLength(Math.min(room, waiting.length));
        const got = names.map((name) => placed.filter((one) => one[0] === name).length);
        const share = (i: number, less = 0) => ((given[i]?.held ?? 0) + (got[i] ?? 0) - less) / (given[i]?.weight ?? 1);
        for (const [i, { runs }] of given.entries()) {
          if ((got[i] ?? 0) === runs) continue;
          for (const [j] of given.entries()) if ((got[j] ?? 0) > 0) expect(share(j, 1)).toBeLessThanOrEqual(share(i));
        }
      }),
    );
  });
});
