import { createHash } from "node:crypto";
import { ResponseError } from "../response-error";
import type { S3Client } from "./s3-client";
import { childrenOf, escapeXml, textOf, type XmlElement } from "./xml";

export interface ObjectName {
  bucket: string;
  key: string;
}

/** An object as a list shows it; `etag` is without quotation marks. */
export interface ListedObject {
  key: string;
  size: number;
  etag: string;
  lastModified: string;
}

export interface ListPage {
  objects: ListedObject[];
  /** Common prefixes, when a delimiter was given. */
  prefixes: string[];
}

interface List {
  bucket: string;
  prefix: string;
  delimiter?: string;
  signal: AbortSignal;
}

/** All pages of a list, in the order of the keys. */
export async function* listObjects(
  client: S3Client,
  { bucket, prefix, delimiter, signal }: List,
): AsyncGenerator<ListPage> {
  let token = "";
  do {
    const query = {
      "list-type": "2",
      "encoding-type": "url",
      prefix,
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(token === "" ? {} : { "continuation-token": token }),
    };
    const page = await client.xml({ method: "GET", bucket, query, signal });
    const name = nameDecoder(page);
    yield {
      objects: childrenOf(page, "Contents").map((one) => ({
        key: name(textOf(one, "Key")),
        size: Number(textOf(one, "Size")),
        etag: unquoted(textOf(one, "ETag")),
        lastModified: textOf(one, "LastModified"),
      })),
      prefixes: childrenOf(page, "CommonPrefixes").map((one) => name(textOf(one, "Prefix"))),
    };
    token = textOf(page, "IsTruncated") === "true" ? textOf(page, "NextContinuationToken") : "";
  } while (token !== "");
}

/** Names are in URL encoding when the response says so, because XML has no control characters. */
const nameDecoder = (page: XmlElement) =>
  textOf(page, "EncodingType") === "url"
    ? (text: string): string => decodeURIComponent(text.replaceAll("+", " "))
    : (text: string): string => text;

export const unquoted = (etag: string | null): string => (etag ?? "").replace(/^W\//, "").replaceAll('"', "");

export async function listBuckets(
  client: S3Client,
  signal: AbortSignal,
): Promise<{ name: string; createdAt: string }[]> {
  const [buckets] = childrenOf(await client.xml({ method: "GET", signal }), "Buckets");
  return (buckets ? childrenOf(buckets, "Bucket") : []).map((one) => ({
    name: textOf(one, "Name"),
    createdAt: textOf(one, "CreationDate"),
  }));
}

export interface ObjectHead {
  size: number;
  etag: string;
  /** The modification time of the file that was uploaded, in milliseconds since 1970, if it is known. */
  mtimeMs: number | undefined;
}

/** Rejects with a ResponseError, of status 404 if there is no such object. */
export async function headObject(client: S3Client, name: ObjectName, signal: AbortSignal): Promise<ObjectHead> {
  try {
    return headOf(await client.headers({ method: "HEAD", ...name, signal }));
  } catch (failure) {
    if (!(failure instanceof ResponseError && failure.status === 404)) throw failure;
    // The response to a HEAD has no body that says so.
    const { status, code, requestId } = failure;
    const message = `There is no object ${name.key} in a bucket ${name.bucket}.`;
    throw new ResponseError({ status, code, requestId, message });
  }
}

export function headOf(headers: Headers): ObjectHead {
  const seconds = Number(headers.get(MTIME_HEADER) ?? Number.NaN);
  const length = Number(headers.get("content-range")?.split("/")[1] ?? headers.get("content-length"));
  return {
    size: length,
    etag: unquoted(headers.get("etag")),
    mtimeMs: Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined,
  };
}

/** In seconds since 1970, as rclone and others write it. */
const MTIME_HEADER = "x-amz-meta-mtime";
export const mtimeHeader = (mtimeMs: number): Record<string, string> => ({
  [MTIME_HEADER]: (Math.round(mtimeMs) / 1000).toFixed(3),
});

/** Copies within svc; nothing is downloaded. Resolves with the new ETag. */
export async function copyObject(
  client: S3Client,
  { from, to }: { from: ObjectName; to: ObjectName },
  signal: AbortSignal,
): Promise<string> {
  const source = [from.bucket, ...from.key.split("/")].map(encodeURIComponent).join("/");
  const result = await client.xml({ method: "PUT", ...to, headers: { "x-amz-copy-source": `/${source}` }, signal });
  return unquoted(textOf(result, "ETag"));
}

export interface DeleteFailure {
  key: string;
  code: string;
  message: string;
}

/** Deletes up to 1,000 objects; keys that do not exist are no failure. Resolves with those that were not deleted. */
export async function deleteObjects(
  client: S3Client,
  { bucket, keys }: { bucket: string; keys: readonly string[] },
  signal: AbortSignal,
): Promise<DeleteFailure[]> {
  const list = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join("");
  const body = new TextEncoder().encode(`<Delete><Quiet>true</Quiet>${list}</Delete>`);
  const headers = { "content-md5": createHash("md5").update(body).digest("base64"), "content-type": "application/xml" };
  const result = await client.xml({ method: "POST", bucket, query: { delete: "" }, headers, body, signal });
  return childrenOf(result, "Error").map((one) => ({
    key: textOf(one, "Key"),
    code: textOf(one, "Code"),
    message: textOf(one, "Message"),
  }));
}
