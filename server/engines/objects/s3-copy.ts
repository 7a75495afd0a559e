import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import type { S3Place } from "./s3-client";

/** S3's limit for one request. */
const WHOLE_BYTES_MAX = 5 * 2 ** 30;
const PART_BYTES = 2 ** 30;

export interface S3Copy {
  from: string;
  to: string;
  /** Of the stored object. */
  bytes: number;
  /** Objects above it are copied in parts of `partBytes`. */
  wholeBytesMax?: number | undefined;
  partBytes?: number | undefined;
}

const optionsOf = ({ timeouts }: S3Place) => ({ requestTimeout: timeouts.copyMs });

/** Copies an object within the store. Throws the SDK's errors. */
export async function copyS3Object(place: S3Place, copy: S3Copy): Promise<void> {
  const { client, bucket } = place;
  if (copy.bytes > (copy.wholeBytesMax ?? WHOLE_BYTES_MAX)) return copyInParts(place, copy);
  const input = { Bucket: bucket, Key: copy.to, CopySource: sourceOf(place, copy.from) };
  await client.send(new CopyObjectCommand(input), optionsOf(place));
}

async function copyInParts(place: S3Place, copy: S3Copy): Promise<void> {
  const { client, bucket } = place;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: copy.to }));
  if (UploadId === undefined) throw new Error("The object store returned no id of the upload.");
  const ids = { Bucket: bucket, Key: copy.to, UploadId };
  try {
    const Parts = await copyParts(place, copy, ids);
    await client.send(new CompleteMultipartUploadCommand({ ...ids, MultipartUpload: { Parts } }), optionsOf(place));
  } catch (failure) {
    await client.send(new AbortMultipartUploadCommand(ids)).catch(() => undefined);
    throw failure;
  }
}

async function copyParts(
  place: S3Place,
  { from, bytes, partBytes = PART_BYTES }: S3Copy,
  ids: { Bucket: string; Key: string; UploadId: string },
): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  for (let at = 0; at < bytes; at += partBytes) {
    const PartNumber = parts.length + 1;
    const CopySourceRange = `bytes=${at}-${Math.min(bytes, at + partBytes) - 1}`;
    const input = { ...ids, PartNumber, CopySource: sourceOf(place, from), CopySourceRange };
    const { CopyPartResult } = await place.client.send(new UploadPartCopyCommand(input), optionsOf(place));
    parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
  }
  return parts;
}

/** Keys of blobs need no escapes. */
const sourceOf = ({ bucket }: S3Place, key: string): string => `${bucket}/${key}`;
