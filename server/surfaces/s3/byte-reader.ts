const LINE_BYTES_MAX = 8192;
const CRLF = "\r\n";

/** Reads lines and counted bytes from a stream of chunks, without copying the bytes. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  /** Creates the error for a stream that ends too early or has an endless line. */
  readonly #malformed: (what: string) => Error;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterator<Uint8Array>, malformed: (what: string) => Error) {
    this.#source = source;
    this.#malformed = malformed;
  }

  /** The next line without its CRLF. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(CRLF);
      if (end > LINE_BYTES_MAX || (end < 0 && this.#rest.length > LINE_BYTES_MAX)) {
        throw this.#malformed("a line is too long");
      }
      if (end >= 0) {
        const line = this.#rest.toString("latin1", 0, end);
        this.#rest = this.#rest.subarray(end + CRLF.length);
        return line;
      }
      const before = this.#rest;
      await this.#pull();
      this.#rest = Buffer.concat([before, this.#rest]);
    }
  }

  /** The next bytes, at least one and at most `bytesMax`. */
  async some(bytesMax: number): Promise<Buffer> {
    while (this.#rest.length === 0) await this.#pull();
    const piece = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** The bytes before the next delimiter, which is skipped. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const rest = this.#rest;
      const at = rest.indexOf(delimiter);
      // The end of what has arrived can be the beginning of the delimiter.
      const end = at < 0 ? Math.max(0, rest.length - delimiter.length + 1) : at;
      this.#rest = rest.subarray(at < 0 ? end : at + delimiter.length);
      if (end > 0) yield rest.subarray(0, end);
      if (at >= 0) return;
      const before = this.#rest;
      await this.#pull();
      this.#rest = Buffer.concat([before, this.#rest]);
    }
  }

  /** Whether nothing follows. */
  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#next());
  }

  async #pull(): Promise<void> {
    if (!(await this.#next())) throw this.#malformed("it ends too early");
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (!done) this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return !done;
  }
}
