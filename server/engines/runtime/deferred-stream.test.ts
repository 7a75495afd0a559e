import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { deferredStream } from "./deferred-stream";

test("has the contents of what was opened", async () => {
  expect(await text(deferredStream(sleep(5).then(() => Readable.from(["a", "b"]))))).toBe("ab");
});

test("that could not be opened fails when it is read, however late", async () => {
  const stream = deferredStream(Promise.reject(new Error("not supported")));
  // A failure that nobody listens for would end the process, and this run.
  await sleep(20);
  await expect(text(stream)).rejects.toThrow("not supported");
});

test("that is destroyed before it was opened destroys what is opened then", async () => {
  const source = new Readable({ read: () => undefined });
  const stream = deferredStream(sleep(5).then(() => source));
  stream.destroy(new Error("stopped"));
  await new Promise((resolve) => source.once("close", resolve));
  expect(stream.errored?.message).toBe("stopped");
});
