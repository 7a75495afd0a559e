import type { IncomingMessage } from "node:http";
import { UpstreamFailure } from "./upstream-failure";

/** Reads the body of a response as fast as it is asked for, with a limit for the wait for each part. */
export class BodyReader {
  readonly #response: IncomingMessage;
  #isEnded = false;
  #failure: UpstreamFailure | undefined;
  #wake: (() => void) | undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    const wake = () => this.#wake?.();
    response.on("readable", wake);
    response.once("end", () => {
      this.#isEnded = true;
      wake();
    });
    response.on("error", (cause) => this.#fail(new UpstreamFailure("the connection broke off", { cause })));
    response.once("close", () => {
      if (!this.#isEnded) this.#fail(new UpstreamFailure("the connection broke off"));
    });
  }

  /** The next part; undefined at the end. Rejects with an UpstreamFailure when none comes within `waitMs`. */
  async next(waitMs: number): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#response.read() as Buffer | null;
      if (chunk) return chunk;
      if (this.#isEnded) return undefined;
      if (this.#failure) throw this.#failure;
      await this.#arrival(waitMs);
    }
  }

  /** The whole body. Rejects with an UpstreamFailure for one that is longer. */
  async all(waitMs: number, bytesMax: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const chunk = await this.next(waitMs);
      if (!chunk) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      bytes += chunk.length;
      if (bytes > bytesMax) {
        this.close();
        throw new UpstreamFailure(`a response of more than ${bytesMax} bytes`, { status: 502 });
      }
      chunks.push(chunk);
    }
  }

  /** Closes the connection, unless the body has been read. */
  close(): void {
    if (!this.#isEnded) this.#response.destroy();
  }

  #fail(failure: UpstreamFailure): void {
    this.#failure ??= failure;
    this.#wake?.();
  }

  #arrival(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        this.#fail(new UpstreamFailure("no data in time", { isLate: true }));
        this.#response.destroy();
      }, waitMs);
      this.#wake = () => {
        clearTimeout(late);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
