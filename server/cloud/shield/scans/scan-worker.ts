import { parentPort, workerData } from "node:worker_threads";
import { scanContent } from "../../../guard/detectors/scan-content";
import { lowerThreadPriority } from "../../../kernel/lower-thread-priority";
import type { FromScanThread, ToScanThread } from "./scan-messages";

// The thread of scans (see scan-thread.ts): reads the content of objects and reports what is in them. Values leave it
// only masked and hashed.

type Chunk = Uint8Array | "end" | "stop";

const key = workerData as Uint8Array;
const under = new Map<number, (chunk: Chunk) => void>();

const say = (message: FromScanThread): void => parentPort?.postMessage(message);

lowerThreadPriority();
parentPort?.on("message", (message: ToScanThread) => {
  const { object } = message;
  const push = under.get(object) ?? begin(object);
  push(message.type === "bytes" ? message.bytes : message.type);
});

/** Begins an object with its first message. Returns where its chunks go. */
function begin(object: number): (chunk: Chunk) => void {
  const waiting: Chunk[] = [];
  let wake = () => {};
  let isDone = false;
  const push = (chunk: Chunk) => {
    if (typeof chunk === "string") under.delete(object);
    // A binary object is done before its end.
    if (isDone) return;
    waiting.push(chunk);
    wake();
  };
  under.set(object, push);
  const chunks = async function* () {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk === "end") return;
      if (chunk === "stop") throw new Stopped();
      if (chunk) {
        yield chunk;
        say({ type: "taken", object });
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  scanContent(chunks(), key).then(
    (report) => {
      isDone = true;
      say({ type: "report", object, report });
    },
    (cause: unknown) => {
      under.delete(object);
      // An error beyond the object ends the thread, and the scan is tried again.
      if (!(cause instanceof Stopped)) setImmediate(() => Promise.reject(cause));
    },
  );
  return push;
}

class Stopped extends Error {}
