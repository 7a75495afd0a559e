import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import type { ChecksumAlgorithm, ObjectVersion, ReadChoice } from "../../cloud/data/objects/objects";
import { newAccess } from "./access-lists";
import { assertAccess } from "./assert-access";
import { parseAlgorithm } from "./body-checks";
import { type ByteRange, parsePartNumber } from "./byte-range";
import { evaluate, preconditionFailed, writeConditionOf } from "./conditions";
import { COPY_SOURCE, parseSource } from "./copy-source";
import { askedEncryption, customerKeyOf, encryptionHeaders, sourceKeyOf } from "./encryption-headers";
import { expirationHeader } from "./expiration";
import { askedLock } from "./lock-headers";
import { checksumTags, newVersionHeader, propertiesOf } from "./object-fields";
import { assertOwner, type ObjectCall, type S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { askedTier, classHeader } from "./storage-class";
import { headerTags } from "./tags";
import { optionalTag, tag, xmlDocument } from "./write-xml";

export const copyObject: S3Operation<ObjectCall> = {
  name: "CopyObject",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const source = await sourceOf(call);
    const access = await newAccess(call);
    const replaces = directiveOf(request.headers, "x-amz-metadata-directive") === "REPLACE";
    const replacesTags = directiveOf(request.headers, "x-amz-tagging-directive") === "REPLACE";
    const properties = propertiesOf(request.headers);
    const { headers } = request;
    const tags = replacesTags && { tags: [], ...headerTags(headers.get("x-amz-tagging")) };
    const wanted = {
      ...askedTier(headers),
      ...askedAlgorithm(headers),
      ...askedEncryption(headers),
      ...askedLock(headers),
    };
    if (
      !replaces &&
      !replacesTags &&
      !wanted.tier &&
      !wanted.algorithm &&
      !wanted.encryption &&
      !wanted.lock &&
      source.bucket.id === bucket.id &&
      source.choice.key === key &&
      !source.choice.versionId
    ) {
      throw new S3Error(
        "InvalidRequest",
        "Copying an object to itself changes nothing; send x-amz-metadata-directive: REPLACE with new metadata, or another x-amz-storage-class.",
      );
    }
    const version = await cloud.objects.copy(
      { bucket: source.bucket, choice: source.choice },
      {
        bucket,
        key,
        ...(replaces && { properties }),
        ...tags,
        ...writeConditionOf(request.headers),
        ...wanted,
        ...access,
      },
    );
    return {
      headers: {
        ...sourceHeader(source),
        ...newVersionHeader(bucket, version),
        ...classHeader(version.tier),
        ...encryptionHeaders(version, customerKeyOf(headers)),
        ...expirationHeader(bucket, version),
      },
      body: xmlDocument("CopyObjectResult", [
        ...resultTags(version),
        ...optionalTag("ChecksumType", Object.keys(version.checksums).length > 0 ? version.checksumType : undefined),
      ]),
    };
  },
};

export const uploadPartCopy: S3Operation<ObjectCall> = {
  name: "UploadPartCopy",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const { query, headers } = request;
    const number = parsePartNumber(query.get("partNumber") ?? "");
    const source = await sourceOf(call);
    const range = sourceRange(headers.get("x-amz-copy-source-range"), source.version.size);
    const part = await cloud.objects.copyPart(
      bucket,
      { key, uploadId: query.get("uploadId") ?? "", number, customerKey: customerKeyOf(headers) },
      { bucket: source.bucket, choice: source.choice, ...(range && { range }) },
    );
    return { headers: sourceHeader(source), body: xmlDocument("CopyPartResult", resultTags(part)) };
  },
};

const resultTags = ({ etag, lastModified, checksums }: Pick<ObjectVersion, "etag" | "lastModified" | "checksums">) => [
  tag("LastModified", lastModified.toISOString()),
  tag("ETag", `"${etag}"`),
  ...checksumTags(checksums),
];

interface Source {
  bucket: BucketSettings;
  choice: ReadChoice;
  version: ObjectVersion;
}

const sourceHeader = ({ bucket, version }: Source): Record<string, string> =>
  bucket.versioning === "off" ? {} : { "x-amz-copy-source-version-id": version.versionId };

/** The object to copy, which the caller may read and which meets the conditions of the request. */
async function sourceOf(call: ObjectCall): Promise<Source> {
  const { cloud } = call;
  const { headers } = call.request;
  const { name, choice } = parseSource(headers.get(COPY_SOURCE) ?? "");
  const bucket = await cloud.bucketsByName.find(name);
  if (!bucket) throw new S3Error("NoSuchBucket", "The bucket of x-amz-copy-source does not exist.");
  const gate = await assertAccess(call, bucket, { name: "GetObject", access: "storage:read", ...choice });
  assertOwner(bucket, headers.get("x-amz-source-expected-bucket-owner"));
  const source = { ...choice, gate, customerKey: sourceKeyOf(headers) };
  const { version } = await cloud.objects.read(bucket, source);
  if (evaluate(headers, version, "copy") !== "met") throw preconditionFailed();
  return { bucket, version, choice: source };
}

function askedAlgorithm(headers: ReadonlyMap<string, string>): { algorithm?: ChecksumAlgorithm } {
  const algorithm = headers.get("x-amz-checksum-algorithm");
  return algorithm === undefined ? {} : { algorithm: parseAlgorithm(algorithm) };
}

function directiveOf(headers: ReadonlyMap<string, string>, name: string): "COPY" | "REPLACE" {
  const directive = headers.get(name) ?? "COPY";
  if (directive === "COPY" || directive === "REPLACE") return directive;
  throw new S3Error("InvalidArgument", `${name} must be COPY or REPLACE.`);
}

function sourceRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || Number(last) < Number(first)) {
    throw new S3Error("InvalidArgument", "x-amz-copy-source-range must be bytes=<first>-<last>.");
  }
  if (Number(last) < size) return { start: Number(first), end: Number(last) + 1 };
  throw new S3Error("InvalidArgument", `x-amz-copy-source-range is beyond the source, which has ${size} bytes.`);
}
