import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { crc32c } from "@node-rs/crc32";
import { onStore, type S3Place } from "./s3-client";

/** S3 takes at most 10,000 parts of at least 5 MiB. */
const PART_BYTES = 8 * 2 ** 20;

interface Target {
  key: string;
  signal: AbortSignal | undefined;
}

/**
 * Stores bytes of unknown number: in one request if they are at most 8 MiB, otherwise as a multipart upload, with one
 * part in transit while the next one is collected.
 */
export async function putS3Object(place: S3Place, body: AsyncIterable<Uint8Array>, target: Target): Promise<void> {
  let upload: MultipartUpload | undefined;
  try {
    for await (const { bytes, isLast } of inParts(body)) {
      if (isLast && !upload) return await putWhole(place, bytes, target);
      upload ??= await MultipartUpload.start(place, target);
      await upload.add(bytes);
    }
    await upload?.complete();
  } catch (failure) {
    await upload?.abort();
    throw failure;
  }
}

async function putWhole({ client, bucket }: S3Place, bytes: Buffer, { key, signal }: Target): Promise<void> {
  const input = {
    Bucket: bucket,
    Key: key,
    Body: bytes,
    ContentLength: bytes.length,
    ChecksumCRC32C: base64Crc(bytes),
  };
  await onStore(client.send(new PutObjectCommand(input), sending(signal)), signal);
}

class MultipartUpload {
  readonly #place: S3Place;
  readonly #target: Target;
  readonly #ids: { Bucket: string; Key: string; UploadId: string };
  readonly #parts: CompletedPart[] = [];
  #sending: Promise<void> = Promise.resolve();

  private constructor(place: S3Place, target: Target, uploadId: string) {
    this.#place = place;
    this.#target = target;
    this.#ids = { Bucket: place.bucket, Key: target.key, UploadId: uploadId };
  }

  static async start(place: S3Place, target: Target): Promise<MultipartUpload> {
    const { client, bucket } = place;
    const input = { Bucket: bucket, Key: target.key, ChecksumAlgorithm: "CRC32C" as const };
    const command = new CreateMultipartUploadCommand(input);
    const { UploadId } = await onStore(client.send(command, sending(target.signal)), target.signal);
    if (UploadId === undefined) throw new Error("The object store returned no id of the upload.");
    return new MultipartUpload(place, target, UploadId);
  }

  /** Returns when the part before this one is stored. */
  async add(bytes: Buffer): Promise<void> {
    await this.#sending;
    this.#sending = this.#send(bytes);
    // A failure is thrown where it is awaited.
    this.#sending.catch(() => undefined);
  }

  async complete(): Promise<void> {
    await this.#sending;
    const { signal } = this.#target;
    const input = { ...this.#ids, MultipartUpload: { Parts: this.#parts } };
    await onStore(this.#place.client.send(new CompleteMultipartUploadCommand(input), sending(signal)), signal);
  }

  /** What cannot be aborted now is aborted by the sweep of unfinished uploads. */
  async abort(): Promise<void> {
    await this.#sending.catch(() => undefined);
    await this.#place.client.send(new AbortMultipartUploadCommand(this.#ids)).catch(() => undefined);
  }

  async #send(bytes: Buffer): Promise<void> {
    const { signal } = this.#target;
    const PartNumber = this.#parts.length + 1;
    const ChecksumCRC32C = base64Crc(bytes);
    const input = { ...this.#ids, PartNumber, ChecksumCRC32C, Body: bytes, ContentLength: bytes.length };
    const { ETag } = await onStore(this.#place.client.send(new UploadPartCommand(input), sending(signal)), signal);
    this.#parts.push({ PartNumber, ChecksumCRC32C, ETag });
  }
}

/** Groups chunks; every part but the last one has the same size. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncIterable<{ bytes: Buffer; isLast: boolean }> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    for (let rest = chunk; rest.length > 0; ) {
      // A full part is sent only when there is more, so that the last one is not empty.
      if (length === PART_BYTES) {
        yield { bytes: Buffer.concat(chunks), isLast: false };
        chunks = [];
        length = 0;
      }
      const taken = rest.subarray(0, PART_BYTES - length);
      chunks.push(taken);
      length += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  yield { bytes: Buffer.concat(chunks), isLast: true };
}

const sending = (abortSignal: AbortSignal | undefined) => (abortSignal ? { abortSignal } : {});

function base64Crc(bytes: Buffer): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32c(bytes));
  return checksum.toString("base64");
}
