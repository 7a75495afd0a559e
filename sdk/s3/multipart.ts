import { md5 } from "./etags";
import { type ObjectName, unquoted } from "./objects";
import type { S3Client } from "./s3-client";
import { childrenOf, textOf } from "./xml";

/** A multipart upload that was begun and is neither completed nor aborted. */
export interface Upload extends ObjectName {
  id: string;
}

export interface Part {
  number: number;
  etag: string;
}

/** The unfinished uploads of a key, the newest first. */
export async function listUploads(
  client: S3Client,
  name: ObjectName,
  signal: AbortSignal,
): Promise<(Upload & { initiatedAt: number })[]> {
  const query = { uploads: "", prefix: name.key };
  const page = await client.xml({ method: "GET", bucket: name.bucket, query, signal });
  return childrenOf(page, "Upload")
    .filter((one) => textOf(one, "Key") === name.key)
    .map((one) => ({ ...name, id: textOf(one, "UploadId"), initiatedAt: Date.parse(textOf(one, "Initiated")) }))
    .sort((a, b) => b.initiatedAt - a.initiatedAt);
}

/** All parts that an upload has. */
export async function listParts(
  client: S3Client,
  upload: Upload,
  signal: AbortSignal,
): Promise<(Part & { size: number })[]> {
  const parts: (Part & { size: number })[] = [];
  for (let marker = ""; ; ) {
    const query = { uploadId: upload.id, ...(marker === "" ? {} : { "part-number-marker": marker }) };
    const page = await client.xml({ method: "GET", bucket: upload.bucket, key: upload.key, query, signal });
    parts.push(
      ...childrenOf(page, "Part").map((one) => ({
        number: Number(textOf(one, "PartNumber")),
        etag: unquoted(textOf(one, "ETag")),
        size: Number(textOf(one, "Size")),
      })),
    );
    marker = textOf(page, "NextPartNumberMarker");
    if (textOf(page, "IsTruncated") !== "true" || marker === "") return parts;
  }
}

export async function createUpload(
  client: S3Client,
  name: ObjectName,
  { headers, signal }: { headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<Upload> {
  const result = await client.xml({ method: "POST", ...name, query: { uploads: "" }, headers, signal });
  return { ...name, id: textOf(result, "UploadId") };
}

export interface SentBytes {
  body: Uint8Array;
  signal: AbortSignal;
  onSent: (bytes: number) => void;
}

/** Resolves with the part's ETag, which is the MD5 of its bytes; svc rejects bytes that were changed on the way. */
export async function uploadPart(
  client: S3Client,
  upload: Upload & { number: number },
  { body, signal, onSent }: SentBytes,
): Promise<string> {
  const hash = md5(body);
  await client.headers({
    method: "PUT",
    bucket: upload.bucket,
    key: upload.key,
    body,
    signal,
    onSent,
    query: { partNumber: String(upload.number), uploadId: upload.id },
    headers: { "content-md5": hash.toString("base64") },
  });
  return hash.toString("hex");
}

/** Resolves with the object's ETag. */
export async function completeUpload(
  client: S3Client,
  { bucket, key, id }: Upload,
  { parts, signal }: { parts: readonly Part[]; signal: AbortSignal },
): Promise<string> {
  const list = parts.map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag></Part>`);
  const body = new TextEncoder().encode(`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`);
  const headers = { "content-type": "application/xml" };
  const result = await client.xml({ method: "POST", bucket, key, query: { uploadId: id }, headers, body, signal });
  return unquoted(textOf(result, "ETag"));
}

export async function abortUpload(client: S3Client, { bucket, key, id }: Upload): Promise<void> {
  await client.headers({ method: "DELETE", bucket, key, query: { uploadId: id } });
}
