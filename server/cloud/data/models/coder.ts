import { createHash } from "node:crypto";
import { convertFloats } from "./convert-floats";
import type { Dtype } from "./dtypes";

/** Memory that can be given to another thread. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Lower-case hex SHA-256. */
export interface Digests {
  /** Of the shard. */
  shard: string;
  /** Of the source from its start to here. */
  source: string;
}

/** Hashes a source and the shards that are made of it, in the order of the calls. */
export interface Coder {
  /** Bytes of the source that are in no shard; the caller must not use them any more. */
  skip(bytes: Bytes): Promise<void>;
  /** Bytes of a shard that are not in the source. */
  add(bytes: Bytes): Promise<void>;
  /** Bytes of the source as they are in the shard; the caller must not use the given ones any more. */
  convert(bytes: Bytes, dtypes: { from: Dtype; to: Dtype }): Promise<Bytes>;
  endShard(): Promise<Digests>;
  close(): Promise<void>;
}

/** In the calling thread, which it keeps busy for less than a millisecond per 256 KiB. */
export class LocalCoder implements Coder {
  readonly #source = createHash("sha256");
  #shard = createHash("sha256");

  async skip(bytes: Bytes): Promise<void> {
    this.#source.update(bytes);
  }

  async add(bytes: Bytes): Promise<void> {
    this.#shard.update(bytes);
  }

  async convert(bytes: Bytes, { from, to }: { from: Dtype; to: Dtype }): Promise<Bytes> {
    this.#source.update(bytes);
    const converted = convertFloats(bytes, from, to);
    this.#shard.update(converted);
    return converted;
  }

  async endShard(): Promise<Digests> {
    const shard = this.#shard.digest("hex");
    this.#shard = createHash("sha256");
    return { shard, source: this.#source.copy().digest("hex") };
  }

  async close(): Promise<void> {}
}
