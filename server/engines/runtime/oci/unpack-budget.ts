import { Transform, type TransformCallback } from "node:stream";
import { layerTooLarge } from "./layer-errors";

/** What an image may unpack to, whatever its size: files of zeros shrink to a thousandth. */
const FREE_BYTES = 256 * 1024 ** 2;
/** Programs and texts shrink to a fifth, or to a twentieth at most. */
const RATIO_MAX = 100;

/**
 * What the archives of an image may take when they are decompressed, headers and padding included: decompressing and
 * reading them costs time of the machine, whether or not it ends as files.
 */
export class UnpackBudget {
  #receivedBytes = 0;
  #unpackedBytes = 0;

  /** `bytesMax` of all layers together. */
  constructor(readonly bytesMax: number) {}

  /** Counts what was downloaded, which allows more. */
  receive(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** Passes on what was decompressed; fails with `image_too_large` when it is too much. */
  limit(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) => {
        this.#unpackedBytes += chunk.length;
        const failure = this.#failure();
        if (failure) done(failure);
        else done(null, chunk);
      },
    });
  }

  #failure(): Error | undefined {
    const unpacked = this.#unpackedBytes;
    if (unpacked > this.bytesMax) return layerTooLarge(`the image has more than ${this.bytesMax} bytes in all`);
    if (unpacked <= FREE_BYTES + RATIO_MAX * this.#receivedBytes) return undefined;
    return layerTooLarge(`the image unpacks to more than ${RATIO_MAX} times its size`);
  }
}
