import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { LogOptions } from "../../../engines/runtime/runtime";
import { followLogText, type LogSource, readLogText } from "./redacted-logs";

const SECRET = "correct-horse-battery";

/** Output that exists already, read in chunks of a few bytes; `onOpen` receives how it is read. */
function sourceOf(text: string, { secrets = [SECRET], chunkBytes = 7 } = {}): LogSource & { opened: LogOptions[] } {
  const opened: LogOptions[] = [];
  const open = (options: LogOptions) => {
    opened.push(options);
    const bytes = Buffer.from(text);
    const from = options.tailBytes === undefined ? 0 : Math.max(0, bytes.length - options.tailBytes);
    const count = Math.ceil((bytes.length - from) / chunkBytes);
    return Readable.from(
      Array.from({ length: count }, (_, i) => bytes.subarray(from + i * chunkBytes, from + (i + 1) * chunkBytes)),
    );
  };
  return { open, secrets, opened };
}

async function followed(source: LogSource, tailBytes: number): Promise<string> {
  let text = "";
  for await (const part of followLogText(source, { tailBytes, signal: new AbortController().signal })) text += part;
  return text;
}

describe("output", () => {
  const line = (i: number) => `${i}: token ${SECRET} é\n`;
  const text = Array.from({ length: 40 }, (_, i) => line(i)).join("");
  const redacted = text.replaceAll(SECRET, "[redacted]");

  it("has as many bytes as were asked for, however many a node sends", async () => {
    let isEnded = false;
    const endless = async function* () {
      try {
        for (;;) yield Buffer.alloc(1000, "x");
      } finally {
        isEnded = true;
      }
    };
    expect((await readLogText({ open: () => Readable.from(endless()), secrets: [] }, 2500)).length).toBe(2500);
    expect(isEnded).toBe(true);
  });

  it("has no value of a secret, wherever its chunks are divided", async () => {
    for (const chunkBytes of [1, 5, 64, 10_000]) {
      expect(await readLogText(sourceOf(text, { chunkBytes }), 10_000)).toBe(redacted);
      expect(await followed(sourceOf(text, { chunkBytes }), 10_000)).toBe(redacted);
    }
  });

  it("has no part of a value at the beginning of a tail, however long the tail is", async () => {
    for (let tailBytes = 1; tailBytes < 200; tailBytes++) {
      for (const tail of [await readLogText(sourceOf(text), tailBytes), await followed(sourceOf(text), tailBytes)]) {
        // All of it is the end of the redacted text, so nothing of a value is in it.
        expect([tailBytes, redacted.endsWith(tail)]).toEqual([tailBytes, true]);
      }
    }
  });

  it("is read as it is without secrets, and its tail has at most the bytes that were asked for", async () => {
    const source = sourceOf(text, { secrets: [] });
    expect(await readLogText(source, 20)).toBe(Buffer.from(text).subarray(-20).toString("utf8"));
    expect(source.opened).toEqual([{ tailBytes: 20 }]);
  });
});

it("following ends as soon as its signal aborts, although no output comes", async () => {
  const stopped = new AbortController();
  const silent = new Readable({ read: () => undefined });
  const parts = followLogText({ open: () => silent, secrets: [] }, { tailBytes: 1, signal: stopped.signal });
  const next = parts.next();
  await new Promise((resolve) => setTimeout(resolve, 10));
  stopped.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(silent.destroyed).toBe(true);
});
