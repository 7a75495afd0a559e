import { createHash } from "node:crypto";
import type { BlobStore } from "../../../engines/objects/blob-store";
import { sealContent } from "../../../engines/objects/sealed-content";
import { type RunningChecksum, startChecksum } from "./checksums";
import { badChecksum, badDigest, incompleteBody, PUT_BYTES_MAX, putTooLarge } from "./object-errors";
import type { ChecksumAlgorithm, Checksums, NewBody } from "./objects";

export interface StoredBody {
  size: number;
  /** Hex MD5. */
  etag: string;
  checksums: Checksums;
}

/** Stores a body as a blob, hashed in the same pass and encrypted if there is a key; stores nothing if it is not what the client said about it. */
export async function storeBody(
  blobs: BlobStore,
  name: string,
  body: NewBody & { dataKey?: Buffer | undefined },
): Promise<StoredBody> {
  if (body.size !== undefined && body.size > PUT_BYTES_MAX) throw putTooLarge();
  const digest = new BodyDigest(body);
  const content = body.dataKey ? sealContent(digest.passed(), body.dataKey) : digest.passed();
  await blobs.put(name, content, body.signal ? { signal: body.signal } : {});
  return digest.result;
}

class BodyDigest {
  readonly #body: NewBody;
  readonly #md5 = createHash("md5");
  readonly #checksums: ReadonlyMap<ChecksumAlgorithm, RunningChecksum>;
  #result: StoredBody | undefined;

  constructor(body: NewBody) {
    this.#body = body;
    const known = Object.keys(body.checksums?.() ?? {}) as ChecksumAlgorithm[];
    const algorithms = new Set([...known, ...(body.algorithms ?? [])]);
    this.#checksums = new Map([...algorithms].map((algorithm) => [algorithm, startChecksum(algorithm)]));
  }

  get result(): StoredBody {
    if (!this.#result) throw new Error("the blob store did not read the body to its end");
    return this.#result;
  }

  async *passed(): AsyncIterable<Uint8Array> {
    const { stream, size: announced = PUT_BYTES_MAX } = this.#body;
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > announced) throw this.#body.size === undefined ? putTooLarge() : this.#wrongSize(size);
      this.#md5.update(chunk);
      for (const checksum of this.#checksums.values()) checksum.update(chunk);
      yield chunk;
    }
    if (this.#body.size !== undefined && size !== this.#body.size) throw this.#wrongSize(size);
    const etag = this.#md5.digest("hex");
    if (this.#body.md5 !== undefined && this.#body.md5.toLowerCase() !== etag) {
      throw badDigest(`The body has the MD5 ${etag}, not ${this.#body.md5}.`);
    }
    this.#result = { size, etag, checksums: await this.#verifiedChecksums() };
  }

  async #verifiedChecksums(): Promise<Checksums> {
    const found: Partial<Record<ChecksumAlgorithm, string>> = {};
    for (const [algorithm, checksum] of this.#checksums) found[algorithm] = await checksum.digest();
    for (const [name, expected] of Object.entries(this.#body.checksums?.() ?? {})) {
      const actual = found[name as ChecksumAlgorithm];
      if (actual !== expected) throw badChecksum(`The body has the ${name} checksum ${actual}, not ${expected}.`);
    }
    return found;
  }

  #wrongSize(size: number) {
    const expected = this.#body.size ?? 0;
    const found = size > expected ? "more" : `only ${size}`;
    return incompleteBody(`The body has ${found} bytes; ${expected} were announced.`);
  }
}
