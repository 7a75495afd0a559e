import { describe, expect, it } from "vitest";
import { GroupCommit } from "./group-commit";

/** A flush that ends on request, so that a test controls what overlaps. */
function gatedFlush() {
  const groups: { items: number[]; end: (results?: number[]) => void; fail: (cause: Error) => void }[] = [];
  const flush = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      groups.push({ items, end: (results = items.map((n) => n * 10)) => resolve(results), fail: reject });
    });
  const started = async (count: number) => {
    while (groups.length < count) await turn();
    const group = groups[count - 1];
    if (!group) throw new Error(`flush ${count} did not start`);
    return group;
  };
  return { flush, groups, started };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("GroupCommit", () => {
  it("gives every item its own result and joins the items of one turn", async () => {
    const sizes: number[] = [];
    const commit = new GroupCommit<number, number>(
      async (items) => {
        sizes.push(items.length);
        return items.map((n) => n * 10);
      },
      { itemsMax: 1000, waitingMax: 1000 },
    );
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => commit.add(i)));
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => i * 10));
    expect(sizes).toEqual([300]);
  });

  it("never runs more flushes than allowed and collects what arrives meanwhile", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 1000, waitingMax: 1000 });
    const first = commit.add(1);
    const running = await gate.started(1);
    const later = [commit.add(2), commit.add(3)];
    await turn();
    await turn();
    expect(gate.groups).toHaveLength(1);
    expect(commit.waiting).toBe(2);
    running.end();
    expect(await first).toBe(10);
    const second = await gate.started(2);
    expect(second.items).toEqual([2, 3]);
    second.end();
    expect(await Promise.all(later)).toEqual([20, 30]);
  });

  it("runs `flushesMax` flushes concurrently, each with at most `itemsMax` items in order", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 2, waitingMax: 1000, flushesMax: 2 });
    const answers = [1, 2, 3, 4, 5].map((n) => commit.add(n));
    await gate.started(2);
    await turn();
    await turn();
    expect(gate.groups.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    gate.groups[1]?.end();
    (await gate.started(3)).end();
    expect(gate.groups[2]?.items).toEqual([5]);
    gate.groups[0]?.end();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
  });

  it("fails only the items of the flush that failed", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 2, waitingMax: 1000 });
    const answers = [1, 2, 3].map((n) => commit.add(n));
    const settled = Promise.allSettled(answers);
    (await gate.started(1)).fail(new Error("no room"));
    (await gate.started(2)).end();
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    await expect(answers[0]).rejects.toThrow("no room");
  });

  it("fails the items when a flush returns another number of results", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 10, waitingMax: 10 });
    const settled = Promise.allSettled([commit.add(1), commit.add(2)]);
    (await gate.started(1)).end([10]);
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("fails the items when a flush throws before it returns a promise", async () => {
    const commit = new GroupCommit<number, number>(
      () => {
        throw new Error("at once");
      },
      { itemsMax: 10, waitingMax: 10 },
    );
    await expect(commit.add(1)).rejects.toThrow("at once");
    await expect(commit.add(2)).rejects.toThrow("at once");
  });

  it("rejects one item more than may wait, and accepts items again when there is room", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 10, waitingMax: 2 });
    const accepted = [commit.add(1), commit.add(2)];
    await expect(commit.add(3)).rejects.toMatchObject({
      code: "unavailable",
      retryAfterSeconds: 1,
      details: { reason: "back_pressure" },
    });
    (await gate.started(1)).end();
    expect(await Promise.all(accepted)).toEqual([10, 20]);
    const again = commit.add(4);
    (await gate.started(2)).end();
    expect(await again).toBe(40);
  });

  it("puts items of a bounded weight in one flush, keeps their order, and rejects by the waiting weight", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 10, waitingMax: 30, weightOf: (n) => n });
    const accepted = [6, 4, 1, 25].map((n) => commit.add(n));
    await expect(commit.add(1)).rejects.toMatchObject({ details: { reason: "back_pressure" } });
    for (const count of [1, 2, 3]) (await gate.started(count)).end();
    expect(gate.groups.map(({ items }) => items)).toEqual([[6, 4], [1], [25]]);
    expect(await Promise.all(accepted)).toEqual([60, 40, 10, 250]);
    const again = commit.add(30);
    (await gate.started(4)).end();
    expect(await again).toBe(300);
  });

  it("drains and closes only when accepted items are done, then rejects", async () => {
    const gate = gatedFlush();
    const commit = new GroupCommit(gate.flush, { itemsMax: 1, waitingMax: 10 });
    const answers = [commit.add(1), commit.add(2)];
    let closed = false;
    const closing = commit.close().then(() => {
      closed = true;
    });
    (await gate.started(1)).end();
    const last = await gate.started(2);
    expect(closed).toBe(false);
    await expect(commit.add(3)).rejects.toMatchObject({ code: "unavailable", details: { reason: "shutting_down" } });
    last.end();
    await closing;
    expect(await Promise.all(answers)).toEqual([10, 20]);
    await commit.drain();
  });
});
