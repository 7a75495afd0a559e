import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import type { ObjectProperties, ObjectVersion } from "../../cloud/data/objects/objects";
import { checksumHeader } from "./body-checks";
import { S3Error } from "./s3-error";
import { classHeader } from "./storage-class";
import { tagCountHeader } from "./tags";
import { optionalTag, type Xml } from "./write-xml";

const META = "x-amz-meta-";
/** Names and values together, from "Working with object metadata". */
const META_BYTES_MAX = 2048;
const HEADER_BYTES_MAX = 2048;
const DEFAULT_TYPE = "binary/octet-stream";
const STORED = ["cache-control", "content-disposition", "content-encoding", "content-language", "expires"];
/** A line break would end a header of a later response. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in a header.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

type Headers = ReadonlyMap<string, string>;

/** What a client says about a new object. Throws `MetadataTooLarge`, `InvalidArgument`, `NotImplemented` and others. */
export function propertiesOf(headers: Headers): ObjectProperties {
  const stored: Record<string, string> = {};
  for (const name of STORED) {
    const value = name === "content-encoding" ? withoutFraming(headers.get(name)) : headers.get(name);
    if (value) stored[name] = headerValue(name, value);
  }
  return {
    contentType: headerValue("content-type", headers.get("content-type") || DEFAULT_TYPE),
    headers: stored,
    userMetadata: userMetadataOf(headers),
  };
}

/** `aws-chunked` describes the body of the request, not the object; the rest is kept. */
const withoutFraming = (value: string | undefined): string | undefined =>
  value
    ?.split(",")
    .filter((coding) => coding.trim().toLowerCase() !== "aws-chunked")
    .join(",")
    .trim();

function userMetadataOf(headers: Headers): Record<string, string> {
  const metadata: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of headers) {
    if (!name.startsWith(META)) continue;
    const short = name.slice(META.length);
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(short)) {
      throw new S3Error("InvalidArgument", "The names of x-amz-meta-* headers must be names of HTTP headers.");
    }
    metadata[short] = withoutControls(name, value);
    bytes += short.length + Buffer.byteLength(value);
  }
  if (bytes <= META_BYTES_MAX) return metadata;
  throw new S3Error("MetadataTooLarge", `The x-amz-meta-* headers have at most ${META_BYTES_MAX} bytes together.`);
}

/** A value that a response can have as a header. */
export function headerValue(name: string, value: string): string {
  if (Buffer.byteLength(value) <= HEADER_BYTES_MAX) return withoutControls(name, value);
  throw new S3Error("InvalidArgument", `${name} must have at most ${HEADER_BYTES_MAX} bytes.`);
}

function withoutControls(name: string, value: string): string {
  if (!CONTROL.test(value)) return value;
  throw new S3Error("InvalidArgument", `${name} must not have control characters.`);
}

/** The headers of an object that every read has. */
export function versionHeaders(bucket: BucketSettings, version: ObjectVersion): Record<string, string> {
  const metadata = Object.entries(version.userMetadata).map(([name, value]) => [META + name, value]);
  return {
    ...version.headers,
    ...Object.fromEntries(metadata),
    "content-type": version.contentType,
    etag: `"${version.etag}"`,
    "last-modified": version.lastModified.toUTCString(),
    "accept-ranges": "bytes",
    ...classHeader(version.tier),
    ...tagCountHeader(version),
    ...versionIdHeader(bucket, version),
  };
}

/** Of a version that was just stored: while versioning is suspended, it has no id. */
export const newVersionHeader = (bucket: BucketSettings, version: Pick<ObjectVersion, "versionId">) =>
  bucket.versioning === "on" ? versionIdHeader(bucket, version) : {};

/** A bucket that never had versions shows none. */
export const versionIdHeader = (
  { versioning }: BucketSettings,
  { versionId }: Pick<ObjectVersion, "versionId">,
): Record<string, string> => (versioning === "off" ? {} : { "x-amz-version-id": versionId });

export function checksumHeaders({
  checksums,
  checksumType,
}: Pick<ObjectVersion, "checksums"> & Partial<Pick<ObjectVersion, "checksumType">>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [algorithm, value] of Object.entries(checksums)) {
    headers[checksumHeader(algorithm as keyof typeof checksums)] = value;
    if (checksumType) headers["x-amz-checksum-type"] = checksumType;
  }
  return headers;
}

export const checksumTags = (checksums: ObjectVersion["checksums"]): Xml[] =>
  Object.entries(checksums).flatMap(([algorithm, value]) => optionalTag(`Checksum${algorithm}`, value));
