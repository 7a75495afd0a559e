import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { waitFor } from "../../test/factories/wait-for";
import { CallPlaces } from "./call-places";

it("A's calls wait while B's run, and one that waits for something else gives its place to the next", async () => {
  const places = new CallPlaces();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const call = (tenant: string) =>
    places.run(tenant, () => {
      started.push(tenant);
      return new Promise<string>((resolve) => ends.push(() => resolve(tenant)));
    });
  const all = Array.from({ length: 30 }, () => call("a"));
  await nextTurn();
  expect(started.length).toBeLessThan(30);
  const others = ["b", "c", "d"].map(call);
  await nextTurn();
  expect(started.slice(-3)).toEqual(["b", "c", "d"]);
  await waitFor(async () => expect(started).toHaveLength(33), { interval: 20 });
  for (const end of ends) end();
  expect(await Promise.all(others)).toEqual(["b", "c", "d"]);
  await Promise.all(all);
});

it("a call whose client leaves before its turn does not run", async () => {
  const places = new CallPlaces();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = Array.from({ length: 20 }, () => places.run("a", () => ended));
  const client = new AbortController();
  const late = places.run("a", () => Promise.reject(new Error("It runs.")), { leaves: () => client.signal });
  client.abort();
  await expect(late).rejects.toMatchObject({ code: "unavailable" });
  end();
  await Promise.all(running);
});

it("of A's calls with large inputs one runs at a time, beside one of B and all small ones", async () => {
  const places = new CallPlaces();
  const started: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const call = (name: string, isLarge: boolean) =>
    places.run(
      name[0] ?? "",
      () => {
        started.push(name);
        return ended;
      },
      { isLarge },
    );
  const all = [call("a1", true), call("a2", true), call("b1", true), call("a3", false)];
  await nextTurn();
  expect(started).toEqual(["a1", "b1", "a3"]);
  end();
  await Promise.all(all);
  expect(started.at(-1)).toBe("a2");
});
