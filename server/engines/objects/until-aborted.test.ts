import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { untilAborted } from "./until-aborted";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

it("keeps no chunk that the reader has taken, so that a long body needs constant memory", async () => {
  const made: WeakRef<Uint8Array>[] = [];
  async function* body() {
    for (let i = 0; i < 50; i++) {
      const chunk = new Uint8Array(1000);
      made.push(new WeakRef(chunk));
      yield chunk;
    }
    // References live until the current job ends.
    await sleep(0);
    collectGarbage();
    expect(made.filter((chunk) => chunk.deref()).length).toBeLessThan(5);
  }
  for await (const _chunk of untilAborted(body(), new AbortController().signal));
  expect(made).toHaveLength(50);
});

it("throws an abort while the body yields nothing, and one that comes while a chunk is used", async () => {
  async function* stalled() {
    yield new Uint8Array(1);
    await new Promise(() => undefined);
  }
  const first = new AbortController();
  const waiting = (async () => {
    for await (const _chunk of untilAborted(stalled(), first.signal))
      setImmediate(() => first.abort(new Error("late")));
  })();
  await expect(waiting).rejects.toThrow("late");
  const second = new AbortController();
  const using = (async () => {
    for await (const _chunk of untilAborted(stalled(), second.signal)) second.abort(new Error("at once"));
  })();
  await expect(using).rejects.toThrow("at once");
});
