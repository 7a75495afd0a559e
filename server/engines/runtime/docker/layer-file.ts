import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type Readable, Transform, type TransformCallback, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Extract, extract } from "tar-stream";
import { invalidLayer, layerTooLarge } from "../oci/layer-errors";
import type { UnpackLimits } from "../oci/unpack-layer";

/** An uncompressed layer on the disk. */
export interface LayerFile {
  file: string;
  bytes: number;
  /** `sha256:…` of the file. */
  digest: string;
}

/**
 * Writes an archive to a file, as it is. Throws `image_invalid` for what is no tar archive, and `image_too_large` beyond
 * a limit.
 */
export async function writeLayer(tar: Readable, file: string, limits: UnpackLimits): Promise<LayerFile> {
  const measure = new MeasureArchive(limits);
  await pipeline(tar, measure, createWriteStream(file, { mode: 0o600, flags: "wx" }));
  return { file, bytes: measure.bytes, digest: `sha256:${measure.hash.digest("hex")}` };
}

/** Passes an archive on, and counts its bytes and entries. */
class MeasureArchive extends Transform {
  readonly hash: Hash = createHash("sha256");
  bytes = 0;
  #entries = 0;
  readonly #archive: Extract = extract();
  readonly #ended: Promise<void>;

  constructor(readonly limits: UnpackLimits) {
    super();
    this.#ended = new Promise((resolve, reject) => {
      this.#archive.on("entry", (_, content, next) => {
        if (++this.#entries > limits.entriesMax) reject(layerTooLarge(`it has more than ${limits.entriesMax} entries`));
        content.resume();
        next();
      });
      this.#archive.on("error", (cause) => reject(invalidLayer("it is not a tar archive", cause)));
      this.#archive.on("finish", () => resolve());
    });
    this.#ended.catch((cause) => this.destroy(cause));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    const { bytesMax } = this.limits;
    if (this.bytes > bytesMax) {
      done(layerTooLarge(`its files are larger than ${bytesMax} bytes in all`));
      return;
    }
    // The types of streamx lack what it has of Node's streams.
    const archive = this.#archive as unknown as Writable;
    if (archive.write(chunk)) done(null, chunk);
    else archive.once("drain", () => done(null, chunk));
  }

  override _flush(done: TransformCallback): void {
    (this.#archive as unknown as Writable).end();
    this.#ended.then(
      () => done(),
      (cause) => done(cause),
    );
  }
}
