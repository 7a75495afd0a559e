import { expect, it } from "vitest";
import { KeyedQueue, TaskQueue } from "./keyed-queue";

/** A task that ends on request, and notes in `log` when it begins and ends. */
function controlled(log: string[], name: string) {
  let end: (failure?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (failure) => (failure ? reject(failure) : resolve());
  });
  const task = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { task, end };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it("tasks of a key follow each other in the order of the calls, and those of another key run meanwhile", async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const [a, b, c] = [controlled(log, "a"), controlled(log, "b"), controlled(log, "c")];
  const results = [queue.run("x", a.task), queue.run("x", b.task), queue.run("y", c.task)];
  b.end();
  c.end();
  await turn();
  expect(log).toEqual(["a begins", "c begins", "c ends"]);
  a.end();
  expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
  expect(log.slice(3)).toEqual(["a ends", "b begins", "b ends"]);
});

it("a task that fails rejects its own call only, and nothing is kept of a key without tasks", async () => {
  const queue = new KeyedQueue();
  const failed = queue.run("x", () => Promise.reject(new Error("broken")));
  const next = queue.run("x", async () => "next");
  expect(queue.has("x")).toBe(true);
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
  await queue.whenIdle("x");
  await turn();
  expect(queue.has("x")).toBe(false);
});

it("a call that is aborted while it waits rejects at once and is not run, and one that has begun ends by itself", async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const [a, b, c] = [controlled(log, "a"), controlled(log, "b"), controlled(log, "c")];
  const aborting = new AbortController();
  const first = queue.run("x", a.task, aborting.signal);
  const second = queue.run("x", b.task, aborting.signal);
  const third = queue.run("x", c.task);
  await turn();
  aborting.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  await expect(queue.run("y", b.task, aborting.signal)).rejects.toThrow("gone");
  a.end();
  c.end();
  expect(await Promise.all([first, third])).toEqual(["a", "c"]);
  expect(log).toEqual(["a begins", "a ends", "c begins", "c ends"]);
});

it("a queue of tasks is idle when those that were given before have ended", async () => {
  const queue = new TaskQueue();
  const log: string[] = [];
  const { task, end } = controlled(log, "a");
  void queue.run(task);
  const idle = queue.whenIdle().then(() => log.push("idle"));
  await turn();
  end();
  await idle;
  expect(log).toEqual(["a begins", "a ends", "idle"]);
});
