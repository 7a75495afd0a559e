/** What is known of a stored blob, computed while its bytes were written. */
export interface StoredBlob {
  /** Bytes. */
  size: number;
}

export interface BlobRange {
  /** The first byte, from 0. */
  start: number;
  /** After the last byte. */
  end: number;
}

/**
 * Stores immutable byte sequences under names that are never used again. Two engines: files below the data directory,
 * and an external S3. Names are `<tenant id>/<bucket id>/<blob id>`: two slashes, and parts of 1 to 200 characters
 * `[A-Za-z0-9_.-]` that do not begin with a dot; another name throws an `Error`. The end of a name may be that of a
 * storage class (see blob-tiers.ts). Failures of the engine are `ServiceError`s: `unavailable` (reasons `object_storage`, `disk_full`).
 */
export interface BlobStore {
  /**
   * Whether all blobs are read from time to time to find damage. An external store verifies its disks itself, and bills
   * every byte that is read; what is damaged there is found when it is read.
   */
  readonly needsScrubbing: boolean;
  /**
   * Stores a blob, which is durable (synced) and complete when this resolves. If `body` throws or the signal aborts,
   * nothing is stored and that error is thrown. Holds at most about 1 MiB of it (files) or 20 MiB (external S3). Chunks
   * must not be changed after they were yielded.
   */
  put(
    name: string,
    body: AsyncIterable<Uint8Array>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<StoredBlob>;
  /**
   * Reads a blob or a range of it in chunks, in constant memory. Each chunk is verified against its checksum before it
   * is yielded; damage throws `internal` (reason `blob_damaged`), a missing blob `internal` (reason `blob_missing`).
   */
  read(name: string, options: { size: number; range?: BlobRange | undefined }): AsyncIterable<Uint8Array>;
  /** Stores a copy under another name, without reading it through the process where the engine can. */
  copy(from: string, to: string, size: number): Promise<void>;
  /** Removes blobs; names that do not exist are ignored. */
  remove(names: readonly string[]): Promise<void>;
  /** Every stored blob whose last change is before `olderThan`, in batches; for the sweep of blobs that no object has. */
  list(options: { olderThan: Date }): AsyncIterable<readonly string[]>;
  /** Removes what puts left behind that were interrupted before `olderThan`. */
  removeUnfinished(options: { olderThan: Date }): Promise<void>;
  /** Reads a whole blob and compares its checksums: "ok", "damaged" or "missing". */
  verify(name: string, size: number): Promise<"ok" | "damaged" | "missing">;
  /** The bytes of the content that is stored under a name, in storage classes after packing. Throws as `read` does. */
  storedSize(name: string): Promise<number>;
  /** Throws if the store cannot be used; for /readyz. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
