import { Worker } from "node:worker_threads";
import type { ContentReport } from "../../../guard/detectors/scan-content";
import type { FromScanThread, ToScanThread } from "./scan-messages";

/** Memory of JavaScript; chunks are outside of it. */
const HEAP_MIB = 256;
/** Chunks of one object that the thread has not taken. */
const CHUNKS_AHEAD = 2;

interface ObjectUnderWay {
  /** Chunks that may be sent now. */
  credit: number;
  wake: () => void;
  report: ContentReport | undefined;
}

/** Searches objects in a thread of its own, so that requests do not wait for it. Objects may be scanned concurrently. */
export class ScanThread {
  readonly #thread: Worker;
  readonly #objects = new Map<number, ObjectUnderWay>();
  #last = 0;
  #failure: Error | undefined;

  /** `workerFile` is the built scan-worker.ts; `key` the root of the hashes of values. */
  constructor(workerFile: string, key: Buffer) {
    // The thread only computes, so it gets no environment variables.
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB };
    this.#thread = new Worker(workerFile, { workerData: new Uint8Array(key), env: {}, resourceLimits });
    this.#thread.on("message", (message: FromScanThread) => this.#receive(message));
    this.#thread.on("error", (cause) => this.#fail(cause instanceof Error ? cause : new Error(String(cause))));
    this.#thread.on("exit", () => this.#fail(new Error("The thread of scans has ended.")));
  }

  /** Searches an object; `onBytes` is called with the length of each chunk. Errors of `source` are thrown. */
  async scan(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void): Promise<ContentReport> {
    const object = ++this.#last;
    const state: ObjectUnderWay = { credit: CHUNKS_AHEAD, wake: () => undefined, report: undefined };
    this.#objects.set(object, state);
    let isWhole = false;
    try {
      for await (const chunk of source) {
        await this.#until(state, () => state.credit > 0 || state.report !== undefined);
        if (state.report) return state.report;
        state.credit--;
        onBytes(chunk.length);
        // A copy, because the store may use the memory of the chunk again.
        const bytes = new Uint8Array(chunk);
        this.#say({ type: "bytes", object, bytes }, [bytes.buffer]);
      }
      isWhole = true;
      this.#say({ type: "end", object });
      await this.#until(state, () => state.report !== undefined);
      if (!state.report) throw new Error("The thread of scans has no report.");
      return state.report;
    } finally {
      if (!isWhole) this.#say({ type: "stop", object });
      this.#objects.delete(object);
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #until(state: ObjectUnderWay, isMet: () => boolean): Promise<void> {
    while (!isMet()) {
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    }
  }

  #say(message: ToScanThread, moved: ArrayBuffer[] = []): void {
    this.#thread.postMessage(message, moved);
  }

  #receive(message: FromScanThread): void {
    const state = this.#objects.get(message.object);
    if (!state) return;
    if (message.type === "report") state.report = message.report;
    else state.credit++;
    state.wake();
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { wake } of this.#objects.values()) wake();
  }
}
