import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import type { ObjectPage, ObjectVersion } from "../../cloud/data/objects/objects";
import { type ListParameters, listParametersOf, listTags, optionsOf, prefixTags } from "./list-parameters";
import { ownerTag } from "./owner-tag";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { restoreTags, storageClassOf } from "./storage-class";
import { optionalTag, tag, type Xml, xmlDocument } from "./write-xml";

const EMPTY: ObjectPage = { objects: [], prefixes: [], next: undefined };

export const listObjectsV2: S3Operation<BucketCall> = {
  name: "ListObjectsV2",
  access: "storage:read",
  run: async ({ request: { query, headers }, cloud, bucket }) => {
    const parameters = listParametersOf(query, "max-keys");
    const { limit, shown } = parameters;
    const restoredAt = restoredAtOf(headers, cloud.clock);
    const [token, startAfter] = [query.get("continuation-token"), query.get("start-after")];
    const after = token ? keyOfToken(token) : startAfter;
    const page = limit === 0 ? EMPTY : await cloud.objects.list(bucket, optionsOf(parameters, after));
    const isOwned = query.get("fetch-owner") === "true";
    return {
      body: xmlDocument("ListBucketResult", [
        tag("Name", bucket.name),
        ...listTags(parameters),
        tag("MaxKeys", limit),
        tag("KeyCount", page.objects.length + page.prefixes.length),
        tag("IsTruncated", page.next !== undefined),
        ...optionalTag("ContinuationToken", token),
        ...optionalTag("NextContinuationToken", page.next === undefined ? undefined : tokenOf(page.next)),
        ...optionalTag("StartAfter", startAfter === undefined ? undefined : shown(startAfter)),
        ...page.objects.map((object) =>
          tag("Contents", objectTags(object, parameters, restoredAt), isOwned ? ownerTags(object, bucket) : []),
        ),
        ...prefixTags(page.prefixes, parameters),
      ]),
    };
  },
};

export const listObjects: S3Operation<BucketCall> = {
  name: "ListObjects",
  access: "storage:read",
  run: async ({ request: { query, headers }, cloud, bucket }) => {
    const parameters = listParametersOf(query, "max-keys");
    const { limit, shown } = parameters;
    const restoredAt = restoredAtOf(headers, cloud.clock);
    const marker = query.get("marker") ?? "";
    const page = limit === 0 ? EMPTY : await cloud.objects.list(bucket, optionsOf(parameters, marker));
    return {
      body: xmlDocument("ListBucketResult", [
        tag("Name", bucket.name),
        ...listTags(parameters),
        tag("Marker", shown(marker)),
        tag("MaxKeys", limit),
        tag("IsTruncated", page.next !== undefined),
        ...optionalTag("NextMarker", page.next === undefined ? undefined : shown(page.next)),
        ...page.objects.map((object) =>
          tag("Contents", objectTags(object, parameters, restoredAt), ownerTags(object, bucket)),
        ),
        ...prefixTags(page.prefixes, parameters),
      ]),
    };
  },
};

export const listObjectVersions: S3Operation<BucketCall> = {
  name: "ListObjectVersions",
  access: "storage:read",
  run: async ({ request: { query, headers }, cloud, bucket }) => {
    const parameters = listParametersOf(query, "max-keys");
    const { limit, shown } = parameters;
    const restoredAt = restoredAtOf(headers, cloud.clock);
    const [keyMarker = "", versionMarker = ""] = [query.get("key-marker"), query.get("version-id-marker")];
    if (versionMarker !== "" && keyMarker === "") {
      throw new S3Error("InvalidArgument", "version-id-marker needs key-marker.");
    }
    const options = { ...optionsOf(parameters, keyMarker), ...(versionMarker && { afterVersionId: versionMarker }) };
    const page =
      limit === 0 ? { versions: [], prefixes: [], next: undefined } : await cloud.objects.listVersions(bucket, options);
    return {
      body: xmlDocument("ListVersionsResult", [
        tag("Name", bucket.name),
        ...listTags(parameters),
        tag("KeyMarker", shown(keyMarker)),
        tag("VersionIdMarker", versionMarker),
        tag("MaxKeys", limit),
        tag("IsTruncated", page.next !== undefined),
        ...(page.next
          ? [tag("NextKeyMarker", shown(page.next.key)), tag("NextVersionIdMarker", page.next.versionId)]
          : []),
        ...page.versions.map((version) => versionTag(version, { parameters, restoredAt, bucket })),
        ...prefixTags(page.prefixes, parameters),
      ]),
    };
  },
};

interface VersionParts {
  parameters: ListParameters;
  restoredAt: Date | undefined;
  bucket: BucketSettings;
}

function versionTag(version: ObjectVersion, { parameters, restoredAt, bucket }: VersionParts): Xml {
  const { key, versionId, isLatest, isDeleteMarker, lastModified } = version;
  const ids = [tag("VersionId", versionId), tag("IsLatest", isLatest), ...ownerTags(version, bucket)];
  if (!isDeleteMarker) return tag("Version", objectTags(version, parameters, restoredAt), ids);
  const shown = [tag("Key", parameters.shown(key)), tag("LastModified", lastModified.toISOString())];
  return tag("DeleteMarker", shown, ids);
}

/** `restoredAt`: when the status of restores is asked for. */
function objectTags(object: ObjectVersion, { shown }: ListParameters, restoredAt: Date | undefined): Xml[] {
  const { key, lastModified, etag, size, checksums, checksumType, tier } = object;
  const algorithms = Object.keys(checksums);
  return [
    tag("Key", shown(key)),
    tag("LastModified", lastModified.toISOString()),
    tag("ETag", `"${etag}"`),
    ...algorithms.map((algorithm) => tag("ChecksumAlgorithm", algorithm)),
    ...optionalTag("ChecksumType", algorithms.length > 0 ? checksumType : undefined),
    tag("Size", size),
    tag("StorageClass", storageClassOf(tier)),
    ...(restoredAt ? restoreTags(object, restoredAt) : []),
  ];
}

/** When a list is made that shows how far restores are; undefined unless the request asks for that. */
function restoredAtOf(headers: ReadonlyMap<string, string>, clock: { now(): Date }): Date | undefined {
  const asked = headers.get("x-amz-optional-object-attributes");
  if (asked === undefined) return undefined;
  if (asked.trim() === "RestoreStatus") return clock.now();
  throw new S3Error("InvalidArgument", "x-amz-optional-object-attributes must be RestoreStatus.");
}

const ownerTags = ({ owner }: ObjectVersion, bucket: BucketSettings): Xml[] => [
  ownerTag("Owner", owner ?? bucket.tenantId),
];

/** A token is the key after which the next page begins, encoded so that every key is one. */
const tokenOf = (key: string): string => Buffer.from(key).toString("base64url");

function keyOfToken(token: string): string {
  const key = Buffer.from(token, "base64url").toString("utf8");
  if (tokenOf(key) === token && !key.includes("\0")) return key;
  throw new S3Error("InvalidArgument", "The continuation token is not one that a list returned.");
}
