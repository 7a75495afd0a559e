import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { RuntimeError } from "../runtime";
import type { Descriptor } from "./image-documents";

export interface VerifyOptions {
  expected: Descriptor;
  /** For messages. */
  image: string;
  /** Called with the length of each part that arrives. */
  onBytes: (bytes: number) => void;
}

/** Passes bytes on, and fails with `digest_mismatch` at the end unless they are those of the descriptor. */
export class VerifyContent extends Transform {
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #isVerified = false;

  constructor(readonly options: VerifyOptions) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    this.options.onBytes(chunk.length);
    if (this.#bytes > this.options.expected.size) done(this.#mismatch());
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const digest = `sha256:${this.#hash.digest("hex")}`;
    const { expected } = this.options;
    this.#isVerified = digest === expected.digest && this.#bytes === expected.size;
    done(this.#isVerified ? null : this.#mismatch());
  }

  /** Throws unless all bytes were read: what decompresses them may take others for the end, such as zeros. */
  assertVerified(): void {
    if (!this.#isVerified) throw this.#mismatch();
  }

  #mismatch(): RuntimeError {
    const { image, expected } = this.options;
    return new RuntimeError(
      "digest_mismatch",
      `A layer of ${image} is not what its manifest says: ${expected.digest}.`,
    );
  }
}

/** Passes the uncompressed bytes of a layer on, and fails with `digest_mismatch` at the end unless they have the digest. */
export class VerifyDiff extends Transform {
  readonly #hash = createHash("sha256");

  constructor(
    readonly diffId: string,
    readonly image: string,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const why = `A layer of ${this.image} is not what its configuration says: ${this.diffId}.`;
    const isSame = `sha256:${this.#hash.digest("hex")}` === this.diffId;
    done(isSame ? null : new RuntimeError("digest_mismatch", why));
  }
}
