import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Allocation, GPU_MILLI, type NodeSpec } from "./gpu-request";
import { NODE_SPECS, REQUESTS, request, type Turn, turns } from "./packing.fixture";
import { PoolScheduler } from "./pool-scheduler";

const [G2, V100] = NODE_SPECS as [NodeSpec, NodeSpec];

/** A scheduler with the same series of calls as others. */
class Run {
  readonly scheduler = new PoolScheduler();
  readonly #nodes: number[] = [];
  readonly #open = new Set<number>();
  readonly #live: Allocation[] = [];

  constructor() {
    for (const spec of NODE_SPECS) for (let i = 0; i < 3; i++) this.#add(spec);
  }

  apply({ kind, which }: Turn): Allocation | undefined {
    if (kind === "place") {
      const placed = this.scheduler.place(REQUESTS[which] ?? request({}));
      if (placed) this.#live.push(placed);
      return placed;
    }
    if (kind === "add") this.#add(NODE_SPECS[which] ?? G2);
    else if (kind === "release") {
      const [freed] = this.#live.splice(which % Math.max(1, this.#live.length), 1);
      if (freed) this.scheduler.release(freed);
    } else this.#change(kind, which % Math.max(1, this.#nodes.length));
    return undefined;
  }

  #add(spec: NodeSpec): void {
    const node = this.scheduler.addNode(spec);
    this.#nodes.push(node);
    this.#open.add(node);
  }

  #change(kind: "cordon" | "uncordon" | "remove", at: number): void {
    const node = this.#nodes[at];
    if (node === undefined) return;
    if (kind === "remove") this.#nodes.splice(at, 1);
    if (kind === "uncordon") this.#open.add(node);
    else this.#open.delete(node);
    if (kind === "remove") this.scheduler.removeNode(node);
    else this.scheduler.setCordoned(node, kind === "cordon");
  }

  isOpen(node: number): boolean {
    return this.#open.has(node);
  }
}

describe("PoolScheduler", () => {
  it("places the same with cached scores as with a look at every node, while nodes come, go and are cordoned", () => {
    fc.assert(
      fc.property(turns, (series) => {
        const [cached, rescanned] = [new Run(), new Run()];
        for (const turn of series) {
          rescanned.scheduler.forgetScores();
          const placed = cached.apply(turn);
          expect(placed).toEqual(rescanned.apply(turn));
          if (placed) expect(cached.isOpen(placed.node)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("never gives out more of a device than it has, and has everything back when all pods are released", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(REQUESTS.length - 1), { maxLength: 60, size: "max" }), (series) => {
        const scheduler = new PoolScheduler();
        for (const spec of NODE_SPECS) scheduler.addNode(spec);
        const placed = series.flatMap((which) => scheduler.place(REQUESTS[which] ?? request({})) ?? []);
        const used = new Map<string, number>();
        for (const { node, devices, gpuMilli } of placed) {
          for (const device of devices) used.set(`${node}/${device}`, (used.get(`${node}/${device}`) ?? 0) + gpuMilli);
        }
        for (const milli of used.values()) expect(milli).toBeLessThanOrEqual(GPU_MILLI);
        for (const allocation of placed) expect(scheduler.release(allocation)).toBe(true);
        for (let node = 0; node < NODE_SPECS.length; node++) expect(scheduler.table.isUnused(node)).toBe(true);
      }),
    );
  });

  it("refuses to free an allocation twice, and ignores one whose node was replaced", () => {
    const scheduler = new PoolScheduler();
    const node = scheduler.addNode(G2);
    const first = scheduler.place(request({})) as Allocation;
    expect(scheduler.release(first)).toBe(true);
    expect(() => scheduler.release(first)).toThrow(RangeError);
    const second = scheduler.place(request({})) as Allocation;
    scheduler.removeNode(node);
    expect(scheduler.addNode(G2)).toBe(node);
    expect(scheduler.release(second)).toBe(false);
    expect(scheduler.table.isUnused(node)).toBe(true);
  });

  it("prefers a device whose rest other requests can use", () => {
    const scheduler = new PoolScheduler();
    const node = scheduler.addNode(V100);
    for (let i = 0; i < 60; i++) {
      const pair = [500, 500].map((gpuMilli) => scheduler.place(request({ gpuMilli })));
      for (const placed of pair) if (placed) scheduler.release(placed);
    }
    scheduler.restore(node, request({ gpuMilli: 500 }), [0]);
    scheduler.restore(node, request({ gpuMilli: 190 }), [1]);
    expect(scheduler.place(request({ gpuMilli: 500 }))?.devices).toEqual([0]);
  });

  it("keeps a node free for requests that only it can hold", () => {
    const scheduler = new PoolScheduler();
    const plain = scheduler.addNode(V100);
    scheduler.addNode({ ...V100, model: "RARE" });
    for (let i = 0; i < 100; i++) {
      const placed = scheduler.place(request({ models: ["RARE"] }));
      if (placed) scheduler.release(placed);
    }
    for (let i = 0; i < 4; i++) expect(scheduler.place(request({}))?.node).toBe(plain);
  });

  it("places a request that was blocked once there is room, and restores what ran before a restart", () => {
    const scheduler = new PoolScheduler();
    const node = scheduler.addNode(V100);
    const running = scheduler.restore(node, request({ gpus: 4 }), [0, 1, 2, 3]);
    expect(scheduler.place(request({}))).toBeUndefined();
    scheduler.release(running);
    expect(scheduler.retry(request({}))).toMatchObject({ node, devices: [0] });
    expect(() => scheduler.restore(node, request({}), [0])).toThrow(RangeError);
    expect(() => scheduler.addNode({ ...V100, gpus: 17 })).toThrow(RangeError);
  });

  it("throws for a malformed request and keeps nothing of it", () => {
    const scheduler = new PoolScheduler();
    scheduler.addNode(G2);
    for (const bad of [
      { gpus: 17 },
      { gpus: 2, gpuMilli: 500 },
      { gpuMilli: 0 },
      { cpuMilli: -1 },
      { memoryMib: 0.5 },
    ]) {
      expect(() => scheduler.place(request(bad))).toThrow(RangeError);
    }
    expect(scheduler.table.isUnused(0)).toBe(true);
  });
});
