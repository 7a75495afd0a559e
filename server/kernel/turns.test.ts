import { expect, it } from "vitest";
import { Turns } from "./turns";

/** Tasks that end when the test ends them. */
function held() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const task = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
    return "done";
  };
  return { task, ends, most: () => most, running: () => running };
}

const REFUSED = expect.objectContaining({ code: "rate_limited", retryAfterSeconds: 1 });

it("runs a limited number of tasks per key at once, and the waiting ones in order", async () => {
  const turns = new Turns({ running: 2, waiting: 10, waitMs: 60_000 }, "reports");
  const { task, ends, most } = held();
  const all = Promise.all(Array.from({ length: 6 }, () => turns.run("a", task)));
  const isDone = all.then(() => true);
  for (let i = 0; i < 6; i++) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  expect([await isDone, most()]).toEqual([true, 2]);
});

it("does not make one key wait for another", async () => {
  const turns = new Turns({ running: 1, waiting: 0, waitMs: 60_000 }, "reports");
  const { task, ends } = held();
  const both = [turns.run("a", task), turns.run("b", task)];
  await expect(turns.run("a", task)).rejects.toEqual(REFUSED);
  for (const end of ends) end();
  expect(await Promise.all(both)).toEqual(["done", "done"]);
});

it("rejects a task that waits too long, and a failed task releases its place", async () => {
  const turns = new Turns({ running: 1, waiting: 5, waitMs: 20 }, "reports");
  const { task, ends, running } = held();
  const first = turns.run("a", task);
  await expect(turns.run("a", task)).rejects.toEqual(REFUSED);
  ends.shift()?.();
  await first;
  await expect(turns.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const next = turns.run("a", task);
  expect(running()).toBe(1);
  ends.shift()?.();
  expect(await next).toBe("done");
});
