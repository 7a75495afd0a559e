import { Worker } from "node:worker_threads";
import type { Bytes, Coder, Digests } from "./coder";
import type { FromCoderThread, ToCoderThread } from "./coder-messages";

/** Memory of JavaScript; the bytes of the model are outside of it. */
const HEAP_MIB = 64;

interface Waiting {
  resolve(result: FromCoderThread): void;
  reject(failure: Error): void;
}

/** A Coder in a thread of its own, so that requests do not wait for it. */
export class CoderThread implements Coder {
  readonly #thread: Worker;
  /** In the order of the calls. */
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;

  /** `workerFile` is the built tensor-worker.ts. */
  constructor(workerFile: string) {
    // The thread only computes, so it gets no environment variables.
    this.#thread = new Worker(workerFile, { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } });
    this.#thread.on("message", (result: FromCoderThread) => this.#waiting.shift()?.resolve(result));
    this.#thread.on("error", (cause) => this.#fail(cause instanceof Error ? cause : new Error(String(cause))));
    this.#thread.on("exit", () => this.#fail(new Error("The thread of the conversion has ended.")));
  }

  async skip(bytes: Bytes): Promise<void> {
    await this.#call({ call: "skip", bytes }, [bytes.buffer]);
  }

  async add(bytes: Bytes): Promise<void> {
    // Copied, because the caller writes them too.
    await this.#call({ call: "add", bytes });
  }

  async convert(bytes: Bytes, { from, to }: Parameters<Coder["convert"]>[1]): Promise<Bytes> {
    const result = await this.#call({ call: "convert", bytes, from, to }, [bytes.buffer]);
    if (!(result instanceof Uint8Array)) throw new Error("The thread of the conversion returned no bytes.");
    return result;
  }

  async endShard(): Promise<Digests> {
    const result = await this.#call({ call: "endShard" });
    if (!result || !("shard" in result)) throw new Error("The thread of the conversion returned no digests.");
    return result;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #call(message: ToCoderThread, moved: ArrayBuffer[] = []): Promise<FromCoderThread> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      this.#thread.postMessage(message, moved);
    });
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
