import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { deferredStream } from "./deferred-stream";

function opening() {
  let open: (source: Readable) => void = () => undefined;
  const opened = new Promise<Readable>((resolve) => {
    open = resolve;
  });
  return { stream: deferredStream(opened), open };
}

const closed = (stream: Readable) => new Promise((resolve) => stream.once("close", resolve));

test("has the contents of what is opened", async () => {
  const { stream, open } = opening();
  const read = text(stream);
  open(Readable.from(["a", "b"]));
  expect(await read).toBe("ab");
});

// The run fails if the stream emits an unhandled `error` event.
test("fails when it is read, however late, if the opening fails", async () => {
  const stream = deferredStream(Promise.reject(new Error("not supported")));
  await closed(stream);
  await expect(text(stream)).rejects.toThrow("not supported");
});

test("destroys what is opened after it was destroyed itself", async () => {
  const { stream, open } = opening();
  stream.destroy(new Error("stopped"));
  const source = new Readable({ read: () => undefined });
  open(source);
  await closed(source);
  expect(stream.errored?.message).toBe("stopped");
});
