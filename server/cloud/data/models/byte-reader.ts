import type { Bytes } from "./coder";
import { unreadableSource } from "./model-errors";

/** Takes exact numbers of bytes from a stream of chunks of any size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #position = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position;
  }

  /** A copy at the start of its own memory, because a stream may use the memory of a chunk again. */
  async take(length: number): Promise<Bytes> {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      if (this.#chunk.length === 0) await this.#next();
      const part = this.#chunk.subarray(0, length - filled);
      bytes.set(part, filled);
      this.#chunk = this.#chunk.subarray(part.length);
      this.#position += part.length;
      filled += part.length;
    }
    return bytes;
  }

  /** Ends the stream, which may still wait for its next chunk. */
  close(): void {
    Promise.resolve(this.#chunks.return?.()).catch(() => undefined);
  }

  async #next(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done) throw unreadableSource(`the file ended after ${this.#position} bytes, before its end.`);
    this.#chunk = next.value;
  }
}
