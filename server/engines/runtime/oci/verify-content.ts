import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { RuntimeError } from "../runtime";
import type { Descriptor } from "./image-documents";

/** Passes bytes on, and fails with `digest_mismatch` at the end unless they are those of the descriptor. */
export class VerifyContent extends Transform {
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #isVerified = false;

  constructor(
    readonly expected: Descriptor,
    readonly image: string,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    if (this.#bytes > this.expected.size) done(this.#mismatch());
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const digest = `sha256:${this.#hash.digest("hex")}`;
    this.#isVerified = digest === this.expected.digest && this.#bytes === this.expected.size;
    done(this.#isVerified ? null : this.#mismatch());
  }

  /** Throws unless all bytes were read: what decompresses them may take others for the end, such as zeros. */
  assertVerified(): void {
    if (!this.#isVerified) throw this.#mismatch();
  }

  #mismatch(): RuntimeError {
    return new RuntimeError(
      "digest_mismatch",
      `A layer of ${this.image} is not what its manifest says: ${this.expected.digest}.`,
    );
  }
}
