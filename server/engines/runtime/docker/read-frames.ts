import { type PassThrough, Writable } from "node:stream";

const HEADER_BYTES = 8;
const STDERR = 2;

/** Takes the frames of Docker's API apart: the stream's number, three zeros, a length of four bytes, and the output. */
export class ReadFrames extends Writable {
  #header = Buffer.alloc(0);
  #left = 0;
  #target: PassThrough;

  constructor(readonly outputs: { stdout: PassThrough; stderr: PassThrough }) {
    super();
    this.#target = outputs.stdout;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let isFull = false;
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#left === 0) rest = this.#readHeader(rest);
      const part = rest.subarray(0, this.#left);
      this.#left -= part.length;
      rest = rest.subarray(part.length);
      if (part.length > 0) isFull = !this.#target.write(part);
    }
    // An output that was closed is not read any more.
    if (!isFull || this.#target.destroyed) {
      done();
      return;
    }
    const go = () => {
      this.#target.off("drain", go).off("close", go);
      done();
    };
    this.#target.on("drain", go).on("close", go);
  }

  #readHeader(bytes: Buffer): Buffer {
    const missing = HEADER_BYTES - this.#header.length;
    this.#header = Buffer.concat([this.#header, bytes.subarray(0, missing)]);
    if (this.#header.length === HEADER_BYTES) {
      this.#left = this.#header.readUInt32BE(4);
      this.#target = this.#header[0] === STDERR ? this.outputs.stderr : this.outputs.stdout;
      this.#header = Buffer.alloc(0);
    }
    return bytes.subarray(missing);
  }
}
