import { Transform, type TransformCallback } from "node:stream";
import { layerTooLarge } from "./layer-errors";
import type { PullTurn } from "./pull-turns";

/** What an image may unpack to, whatever its size: files of zeros shrink to a thousandth. */
const FREE_BYTES = 256 * 1024 ** 2;
/** Programs and texts shrink to a fifth, or to a twentieth at most. */
const RATIO_MAX = 100;

/**
 * What the archives of an image may take when they are decompressed, headers and padding included: decompressing and
 * reading them costs time of the node, whether or not it ends as files.
 */
export class UnpackBudget {
  #receivedBytes = 0;
  #unpackedBytes = 0;

  /** `bytesMax` of all layers together. */
  constructor(
    readonly bytesMax: number,
    readonly turn: Pick<PullTurn, "unpack">,
  ) {}

  /** Counts what was downloaded, which allows more. */
  receive(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** Passes on what was decompressed; fails with `image_too_large` or `no_disk_space` when it is too much. */
  limit(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) => {
        try {
          this.#count(chunk.length);
          done(null, chunk);
        } catch (cause) {
          done(cause as Error);
        }
      },
    });
  }

  #count(bytes: number): void {
    this.#unpackedBytes += bytes;
    const { bytesMax, turn } = this;
    if (this.#unpackedBytes > bytesMax) throw layerTooLarge(`the image has more than ${bytesMax} bytes in all`);
    if (this.#unpackedBytes > FREE_BYTES + RATIO_MAX * this.#receivedBytes) {
      throw layerTooLarge(`the image unpacks to more than ${RATIO_MAX} times its size`);
    }
    turn.unpack(bytes);
  }
}
