import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { blobMissing, checkContent } from "./blob-errors";
import { isBlobName, parseBlobName } from "./blob-name";
import type { BlobRange, BlobStore, StoredBlob } from "./blob-store";
import { BlockChecksums, contentBytesOf, footerBytesOf } from "./block-checksums";
import { isNotFound, KEY_PREFIX, keyOf, nameOfKey, onStore, openS3, type S3Place, type S3Settings } from "./s3-client";
import { copyS3Object, type S3Copy } from "./s3-copy";
import { putS3Object } from "./s3-put";
import { readS3Content } from "./s3-read";
import { untilAborted } from "./until-aborted";

/** S3's limit for one request. */
const DELETE_MAX = 1000;

/**
 * Blobs as objects `svc-objects/<tenant id>/<bucket id>/<blob id>` of a bucket in an external store with the API of S3,
 * those of a storage class as `svc-objects/.warm/<tenant id>/…`.
 * An object has the layout of block-checksums.ts, so damage is detected in ranges too, on the network and at rest.
 */
export class S3BlobStore implements BlobStore {
  readonly needsScrubbing = false;
  readonly #place: S3Place;
  readonly #copyLimits: Pick<S3Copy, "wholeBytesMax" | "partBytes">;

  constructor(settings: S3Settings, copyLimits: Pick<S3Copy, "wholeBytesMax" | "partBytes"> = {}) {
    this.#place = openS3(settings);
    this.#copyLimits = copyLimits;
  }

  async put(
    name: string,
    body: AsyncIterable<Uint8Array>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<StoredBlob> {
    parseBlobName(name);
    const checksums = new BlockChecksums();
    await putS3Object(this.#place, withFooter(untilAborted(body, signal), checksums), { key: keyOf(name), signal });
    return { size: checksums.size };
  }

  read(name: string, { size, range }: { size: number; range?: BlobRange | undefined }): AsyncIterable<Uint8Array> {
    parseBlobName(name);
    const { start, end } = range ?? { start: 0, end: size };
    if (!(start >= 0 && start <= end && end <= size))
      throw new RangeError(`No range ${start} to ${end} of ${size} bytes.`);
    return readS3Content(this.#place, { name, size, range: { start, end } });
  }

  async copy(from: string, to: string, size: number): Promise<void> {
    parseBlobName(from);
    parseBlobName(to);
    const bytes = size + footerBytesOf(size);
    const copied = copyS3Object(this.#place, { from: keyOf(from), to: keyOf(to), bytes, ...this.#copyLimits });
    const checked = copied.catch((failure: unknown) => {
      throw isNotFound(failure) ? blobMissing(from, failure) : failure;
    });
    await onStore(checked);
  }

  async remove(names: readonly string[]): Promise<void> {
    const keys = names.map((name) => {
      parseBlobName(name);
      return { Key: keyOf(name) };
    });
    const { client, bucket: Bucket } = this.#place;
    for (let at = 0; at < keys.length; at += DELETE_MAX) {
      const Delete = { Objects: keys.slice(at, at + DELETE_MAX), Quiet: true };
      const { Errors } = await onStore(client.send(new DeleteObjectsCommand({ Bucket, Delete })));
      const failed = Errors?.find(({ Code }) => Code !== "NoSuchKey");
      if (failed) await onStore(Promise.reject(new Error(`${failed.Key} was not deleted: ${failed.Code}.`)));
    }
  }

  async *list({ olderThan }: { olderThan: Date }): AsyncIterable<readonly string[]> {
    const { client, bucket: Bucket } = this.#place;
    let ContinuationToken: string | undefined;
    do {
      const page = await onStore(
        client.send(new ListObjectsV2Command({ Bucket, Prefix: KEY_PREFIX, ContinuationToken })),
      );
      const names = (page.Contents ?? [])
        .filter(({ LastModified }) => LastModified !== undefined && LastModified < olderThan)
        .map(({ Key }) => nameOfKey(Key ?? ""))
        .filter(isBlobName);
      if (names.length > 0) yield names;
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async removeUnfinished({ olderThan }: { olderThan: Date }): Promise<void> {
    const { client, bucket: Bucket } = this.#place;
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (next) {
      const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
        Bucket,
        Prefix: KEY_PREFIX,
        ...next,
      });
      const page = await onStore(client.send(command));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Key?.startsWith(KEY_PREFIX) || Initiated === undefined || Initiated >= olderThan) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
      }
      next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
    }
  }

  async verify(name: string, size: number): Promise<"ok" | "damaged" | "missing"> {
    return checkContent(this.read(name, { size }));
  }

  async storedSize(name: string): Promise<number> {
    parseBlobName(name);
    const { client, bucket: Bucket } = this.#place;
    const found = client.send(new HeadObjectCommand({ Bucket, Key: keyOf(name) })).catch((failure: unknown) => {
      throw isNotFound(failure) ? blobMissing(name, failure) : failure;
    });
    return Math.max(0, contentBytesOf((await onStore(found)).ContentLength ?? 0));
  }

  async ping(): Promise<void> {
    await onStore(this.#place.client.send(new HeadBucketCommand({ Bucket: this.#place.bucket })));
  }

  close(): Promise<void> {
    this.#place.client.destroy();
    return Promise.resolve();
  }
}

async function* withFooter(body: AsyncIterable<Uint8Array>, checksums: BlockChecksums): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    checksums.add(chunk);
    yield chunk;
  }
  yield checksums.footer();
}
