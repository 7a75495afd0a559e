/** Limits what the bodies of requests take in memory together. */
export class ByteBudget {
  readonly #max: number;
  #used = 0;

  /** `max` in bytes. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Reads a body and keeps its bytes counted during `use`. Returns undefined, without the rest of the body, if it has
   * more than `bytesMax`, or more than what is left for all.
   */
  async read<T>(
    body: AsyncIterable<Buffer>,
    bytesMax: number,
    use: (whole: Buffer) => Promise<T>,
  ): Promise<T | undefined> {
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const part of body) {
        bytes += part.length;
        this.#used += part.length;
        if (bytes > bytesMax || this.#used > this.#max) return undefined;
        parts.push(part);
      }
      return await use(Buffer.concat(parts));
    } finally {
      this.#used -= bytes;
    }
  }
}
