import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../../kernel/lower-thread-priority";
import { BrokenFeed } from "./feed-line";
import type { FromFeedThread, ToFeedThread } from "./feed-messages";
import { type FeedOrder, readFeed } from "./read-feed";

// The thread of one import (see feed-thread.ts): decompresses, parses and checks the feed, and ends with it.

let onBytes: (message: Exclude<ToFeedThread, { type: "written" }>) => void = () => undefined;
let onWritten: () => void = () => undefined;

lowerThreadPriority();
parentPort?.on("message", (message: ToFeedThread) => {
  if (message.type === "written") onWritten();
  else onBytes(message);
});

const say = (message: FromFeedThread, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);

async function* sentBytes(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const message = await new Promise<Parameters<typeof onBytes>[0]>((resolve) => {
      onBytes = resolve;
      say({ type: "more" });
    });
    if (message.type === "end") return;
    if (message.type === "failed") throw new BrokenFeed(message.reason, message.message);
    yield message.bytes;
  }
}

try {
  const ids = await readFeed(
    sentBytes(),
    workerData as FeedOrder,
    (batch) =>
      new Promise((resolve) => {
        onWritten = resolve;
        say({ type: "batch", batch });
      }),
  );
  say({ type: "done", ids }, [ids.buffer]);
} catch (cause) {
  if (!(cause instanceof BrokenFeed)) throw cause;
  const { reason, message, line } = cause;
  say({ type: "broken", reason, message, line });
}
