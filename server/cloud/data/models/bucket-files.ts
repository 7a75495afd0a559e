import type { BucketRef, ObjectProperties, Objects } from "../objects/objects";
import type { ModelSource, ModelTarget } from "./conversion";

/** S3 takes at most 5 GiB in one put or part; parts of this size allow 10,000 GiB. */
const PART_BYTES = 1024 ** 3;
const BINARY: ObjectProperties = { contentType: "application/octet-stream", headers: {}, userMetadata: {} };
const JSON_TEXT: ObjectProperties = { ...BINARY, contentType: "application/json" };

/** The object as it is now; later versions of it are not read. Throws `not_found`. */
export async function openBucketSource(
  objects: Pick<Objects, "read">,
  { bucket, key }: { bucket: BucketRef; key: string },
): Promise<ModelSource> {
  const { version, open } = await objects.read(bucket, { key });
  return { size: version.size, read: (from, to) => open({ start: from, end: to }) };
}

export interface BucketTarget {
  bucket: BucketRef;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** Of each part of a file that has more bytes; for tests. */
  partBytes?: number;
}

/** Files in a bucket, below a prefix; the caller has checked that they may be written. */
export function createBucketTarget(
  objects: Objects,
  { bucket, prefix, partBytes = PART_BYTES }: BucketTarget,
): ModelTarget {
  return {
    put: async (...[name, size, body, signal]) => {
      const file = { key: `${prefix}${name}`, size, body, signal };
      return size > partBytes ? putInParts({ objects, bucket, partBytes }, file) : putWhole({ objects, bucket }, file);
    },
    exists: async (name, size) => {
      const version = await objects.find(bucket, { key: `${prefix}${name}` });
      return version !== undefined && !version.isDeleteMarker && version.size === size;
    },
    remove: async (names) => {
      const found = await Promise.all(names.map((name) => objects.find(bucket, { key: `${prefix}${name}` })));
      // Deleting a key without an object would create a delete marker in a bucket with versions.
      const keys = found.flatMap((version) => (version && !version.isDeleteMarker ? [{ key: version.key }] : []));
      if (keys.length > 0) await objects.delete(bucket, keys);
    },
  };
}

interface PutFile {
  key: string;
  size: number;
  body: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

async function putWhole(
  { objects, bucket }: { objects: Objects; bucket: BucketRef },
  { key, size, body, signal }: PutFile,
): Promise<{ etag: string }> {
  const properties = key.endsWith(".json") ? JSON_TEXT : BINARY;
  return objects.put(bucket, { key, ...properties, body: { stream: body, size, signal } });
}

async function putInParts(
  { objects, bucket, partBytes }: { objects: Objects; bucket: BucketRef; partBytes: number },
  { key, size, body, signal }: PutFile,
): Promise<{ etag: string }> {
  const { uploadId } = await objects.createUpload(bucket, { key, properties: BINARY });
  const chunks = new PartedBody(body);
  try {
    const parts: { number: number; etag: string }[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const number = parts.length + 1;
      const length = Math.min(partBytes, size - start);
      const part = { stream: chunks.next(length), size: length, signal };
      parts.push({ number, etag: (await objects.putPart(bucket, { key, uploadId, number, body: part })).etag });
    }
    await chunks.end();
    return await objects.completeUpload(bucket, { key, uploadId, parts });
  } catch (failure) {
    await objects.abortUpload(bucket, { key, uploadId }).catch(() => undefined);
    throw failure;
  }
}

/** A body as several bodies, one after the other. */
class PartedBody {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  async *next(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) return;
        this.#rest = next.value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** Lets the body check itself at its end. */
  async end(): Promise<void> {
    await this.#chunks.next();
  }
}
