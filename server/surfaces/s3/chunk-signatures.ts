import { createHash, type Hash } from "node:crypto";
import { S3Error } from "./s3-error";
import { EMPTY_SHA256, isEqualText, scopeText, sha256Hex, sign } from "./signature";
import type { VerifiedSignature } from "./verify-signature";

/**
 * Verifies the signatures of the chunks and trailers of one body; each signature includes the one before, and the first
 * one that of the request ("Signature Calculations for the Authorization Header: Transferring Payload in Multiple
 * Chunks"). Throws `SignatureDoesNotMatch`.
 */
export class ChunkSignatures {
  readonly #by: VerifiedSignature;
  #previous: string;
  #hash: Hash = createHash("sha256");

  constructor(by: VerifiedSignature) {
    this.#by = by;
    this.#previous = by.signature;
  }

  /** Adds bytes of the current chunk. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Ends the current chunk, whose signature was in its first line. */
  endChunk(signature: string): void {
    this.#verify("AWS4-HMAC-SHA256-PAYLOAD", `${EMPTY_SHA256}\n${this.#hash.digest("hex")}`, signature);
    this.#hash = createHash("sha256");
  }

  /** `trailers`: each as `name:value` and a line feed. */
  endTrailers(trailers: string, signature: string): void {
    this.#verify("AWS4-HMAC-SHA256-TRAILER", sha256Hex(trailers), signature);
  }

  #verify(kind: string, hashes: string, signature: string): void {
    const { key, time, scope } = this.#by;
    const expected = sign(key, [kind, time, scopeText(scope), this.#previous, hashes].join("\n"));
    if (!isEqualText(expected, signature)) {
      throw new S3Error("SignatureDoesNotMatch", "The signature of a chunk of the body does not match its bytes.");
    }
    this.#previous = expected;
  }
}
