import { describe, expect, it } from "vitest";
import { ServiceError } from "./errors";
import { FairTurns } from "./fair-turns";

/** Tasks that end when they are told. */
function open(turns: FairTurns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (key: string, name: string) =>
    turns.run(key, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, start, end };
}

describe("fair turns", () => {
  it("serve the keys round robin, so that many tasks of one delay only its own", async () => {
    const { begun, start, end } = open(new FairTurns({ running: 1, waitingPerKey: 10 }, "tasks"));
    const all = [1, 2, 3].map((n) => start("a", `a${n}`));
    all.push(start("b", "b1"), start("c", "c1"), start("b", "b2"));
    await new Promise(setImmediate);
    for (const name of ["a1", "b1", "c1", "a2", "b2", "a3"]) {
      expect(begun.at(-1)).toBe(name);
      await end(name);
    }
    await Promise.all(all);
  });

  it("leave room for others beside a key that has all that one may", async () => {
    const { begun, start, end } = open(new FairTurns({ running: 3, runningPerKey: 2, waitingPerKey: 10 }, "tasks"));
    const all = [1, 2, 3].map((n) => start("a", `a${n}`));
    all.push(start("b", "b1"));
    await new Promise(setImmediate);
    expect(begun).toEqual(["a1", "a2", "b1"]);
    for (const name of ["b1", "a1", "a2", "a3"]) await end(name);
    await Promise.all(all);
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("refuse what a key adds to a full line, and nobody else's", async () => {
    const { start, end } = open(new FairTurns({ running: 1, waitingPerKey: 1 }, "tasks"));
    const all = [start("a", "a1"), start("a", "a2")];
    await expect(start("a", "a3")).rejects.toThrow(ServiceError);
    all.push(start("b", "b1"));
    await new Promise(setImmediate);
    for (const name of ["a1", "b1", "a2"]) await end(name);
    await Promise.all(all);
  });

  it("pass on the place of a task that failed", async () => {
    const turns = new FairTurns({ running: 1, waitingPerKey: 1 }, "tasks");
    await expect(turns.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await turns.run("a", async () => 7)).toBe(7);
  });
});
