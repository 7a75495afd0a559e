import { expect, it } from "vitest";
import { BucketNames } from "./bucket-names";

const NAMES = new Set(["here", "too"]);

/** The names that each query asked for; queries wait until they are let go. */
function open() {
  const queries: string[][] = [];
  const waiting: (() => void)[] = [];
  let failure: Error | undefined;
  const findMany = async ({ where }: { where: { name: { in: string[] } } }) => {
    queries.push(where.name.in);
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (failure) throw failure;
    return where.name.in.filter((name) => NAMES.has(name)).map((name) => ({ name }));
  };
  let now = 0;
  const names = new BucketNames({
    db: { bucket: { findMany } } as unknown as ConstructorParameters<typeof BucketNames>[0]["db"],
    clock: { now: () => new Date(now) },
  });
  return {
    names,
    queries,
    fail: (with_: Error | undefined) => {
      failure = with_;
    },
    advance: (ms: number) => {
      now += ms;
    },
    letGo: async () => {
      waiting.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

it("asks for all names that wait in one query at a time, and for none twice at once", async () => {
  const { names, queries, letGo } = open();
  const first = names.has("here");
  const others = Array.from({ length: 1500 }, (_, i) => names.has(`none-${i}`));
  const again = [names.has("too"), names.has("too"), names.has("here")];
  expect(queries).toEqual([["here"]]);
  await letGo();
  expect([await first, queries.map(({ length }) => length)]).toEqual([true, [1, 1000]]);
  await letGo();
  await letGo();
  expect(queries.map(({ length }) => length)).toEqual([1, 1000, 501]);
  expect(await Promise.all(again)).toEqual([true, true, true]);
  expect(await Promise.all(others)).not.toContain(true);
});

it("remembers for ten seconds that a bucket exists, and not that it does not", async () => {
  const { names, queries, letGo, advance } = open();
  const ask = async (name: string) => {
    const answer = names.has(name);
    await letGo();
    return answer;
  };
  expect([await ask("here"), await ask("here"), await ask("none"), await ask("none")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(queries).toEqual([["here"], ["none"], ["none"]]);
  advance(10_000);
  expect(await ask("here")).toBe(true);
  names.forget("here");
  expect(await ask("here")).toBe(true);
  expect(queries.slice(3)).toEqual([["here"], ["here"]]);
});

it("goes on after a query that failed", async () => {
  const { names, letGo, fail } = open();
  fail(new Error("no database"));
  const failed = expect(names.has("here")).rejects.toThrow("no database");
  await letGo();
  await failed;
  fail(undefined);
  const found = names.has("here");
  await letGo();
  expect(await found).toBe(true);
});
