import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { S3_PATH } from "../../cloud/data/buckets/s3-endpoint";
import type { RequestMeta } from "../../operation/request-meta";
import { decodeText } from "./percent-encoding";
import { S3Error } from "./s3-error";
import { S3Query } from "./s3-query";
import { ALGORITHM } from "./signature";

/** Bytes of UTF-8, from "Naming Amazon S3 objects". */
const KEY_BYTES_MAX = 1024;
/** What names had before their rules became strict; `BucketName` has those of today. */
const BUCKET_CHARACTERS = /^[A-Za-z0-9._-]*$/;
const ASCII = /^[\t\x20-\x7e]*$/;
const PRINTABLE = /^[\x21-\x7e]*$/;

/** A request to the S3 endpoint before its credentials are checked. */
export interface S3Request {
  method: string;
  /** Decoded, as it is signed: with `/v1/s3`, and for virtual hosts without the bucket. */
  path: string;
  /** Undefined for requests that name no bucket. */
  bucket: string | undefined;
  /** Undefined for requests that name no key. */
  key: string | undefined;
  query: S3Query;
  /** By lower-case name; several values are joined by commas. */
  headers: ReadonlyMap<string, string>;
  incoming: IncomingMessage;
  meta: RequestMeta;
}

/**
 * Reads the target and the headers of a request. `s3Host` is the host below which each bucket has a host of its own.
 * Throws `InvalidURI`, `InvalidBucketName` and `KeyTooLongError`.
 */
export function readRequest(incoming: IncomingMessage, meta: RequestMeta, s3Host: string | undefined): S3Request {
  const { method = "GET", url = "/" } = incoming;
  const at = url.indexOf("?");
  const path = PRINTABLE.test(url) ? decodeText(at < 0 ? url : url.slice(0, at)) : undefined;
  const query = S3Query.parse(at < 0 ? "" : url.slice(at + 1));
  if (path === undefined || query === undefined || path.includes("\0")) {
    throw new S3Error(
      "InvalidURI",
      "The path and the query must be percent-encoded UTF-8 without NUL characters; encode each byte outside of A-Z a-z 0-9 - . _ ~ as %XX.",
    );
  }
  const headers = headersOf(incoming);
  const { bucket, key } = targetOf(path, hostNameOf(headers.get("host")), s3Host);
  if (bucket !== undefined && !BUCKET_CHARACTERS.test(bucket)) {
    throw new S3Error(
      "InvalidBucketName",
      "The name of a bucket has only letters, digits, hyphens, dots and underscores.",
    );
  }
  if (key !== undefined) assertKeyLength(key);
  return { method, path, bucket, key, query, headers, incoming, meta };
}

/** Throws `KeyTooLongError`. */
export function assertKeyLength(key: string): void {
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return;
  throw new S3Error("KeyTooLongError", `A key has at most ${KEY_BYTES_MAX} bytes of UTF-8.`);
}

/** Whether a `Host` header names the S3 host or a bucket below it. */
export const isS3Host = (host: string | undefined, s3Host: string): boolean => {
  const name = hostNameOf(host);
  return name === s3Host || name.endsWith(`.${s3Host}`);
};

export const isBelowS3Path = (path: string): boolean => path === S3_PATH || path.startsWith(`${S3_PATH}/`);

const FOR_S3 = /[/]s3[/]aws4_request\b/;

/** No other surface has this scheme. */
const VERSION_2 = /^AWS [^:\s]+:/;

/**
 * Whether a request is signed for S3. Clients that cannot have a path in their endpoint, such as those that use minio-go,
 * send such requests to the root.
 */
export function isSignedForS3({ headers, url = "/" }: Pick<IncomingMessage, "headers" | "url">): boolean {
  const { authorization } = headers;
  if (authorization?.startsWith(`${ALGORITHM} `)) return FOR_S3.test(authorization);
  if (authorization !== undefined && VERSION_2.test(authorization)) return true;
  const credential = /[?&]X-Amz-Credential=([^&]{1,500})/.exec(url)?.[1];
  return credential !== undefined && FOR_S3.test(decodeText(credential) ?? "");
}

/**
 * The name of the bucket that an unsigned path at the root of any host can mean; undefined for the paths of no bucket.
 * Names with dots are left out: crawlers look for files such as /robots.txt there.
 */
export const bucketAtRoot = (path: string): string | undefined =>
  /^\/([a-z0-9][a-z0-9-]{1,61}[a-z0-9])(?:\/|$)/.exec(path)?.[1];

const hostNameOf = (host = ""): string => host.toLowerCase().replace(/:\d*$/, "");

function targetOf(path: string, host: string, s3Host: string | undefined) {
  if (s3Host !== undefined && host.endsWith(`.${s3Host}`)) {
    return { bucket: host.slice(0, -s3Host.length - 1), key: path.slice(1) || undefined };
  }
  // The S3 host itself has buckets at its root, and so has every host for requests that are signed for S3.
  const isBelow = isBelowS3Path(path) && !(host === s3Host && s3Host !== undefined);
  const rest = path.slice(isBelow ? S3_PATH.length + 1 : 1);
  const slash = rest.indexOf("/");
  if (slash < 0) return { bucket: rest || undefined, key: undefined };
  return { bucket: rest.slice(0, slash) || undefined, key: rest.slice(slash + 1) || undefined };
}

/** Headers that are stored with an object, or name one. */
const KEPT = /^(x-amz-|content-|cache-control$|expires$)/;

/** Node decodes headers as Latin-1; clients sign and send metadata as UTF-8. Other bytes would be stored as others. */
function utf8Of(name: string, value: string): string {
  if (ASCII.test(value)) return value;
  const bytes = Buffer.from(value, "latin1");
  if (isUtf8(bytes) || !KEPT.test(name)) return bytes.toString("utf8");
  throw new S3Error("InvalidArgument", `The header ${name} is not UTF-8 text; encode it in UTF-8.`);
}

function headersOf({ rawHeaders }: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    const [value, before] = [utf8Of(name, rawHeaders[i + 1] ?? ""), headers.get(name)];
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}
