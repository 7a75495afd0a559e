import type { ObjectVersion } from "../../cloud/data/objects/objects";
import { assertCustomerKey, customerKeyOf } from "./encryption-headers";
import { countOf } from "./list-parameters";
import { checksumTags, versionIdHeader } from "./object-fields";
import type { ObjectCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { storageClassOf } from "./storage-class";
import { optionalTag, tag, type Xml, xmlDocument } from "./write-xml";

const PARTS_MAX = 1000;

const ATTRIBUTES: Readonly<Record<string, (version: ObjectVersion, headers: Headers) => readonly Xml[]>> = {
  ETag: ({ etag }) => [tag("ETag", etag)],
  Checksum: ({ checksums, checksumType }) =>
    Object.keys(checksums).length === 0
      ? []
      : [tag("Checksum", [...checksumTags(withoutCounts(checksums)), tag("ChecksumType", checksumType)])],
  ObjectParts: (version, headers) => (version.partSizes ? [partsTag(version, version.partSizes, headers)] : []),
  StorageClass: ({ tier }) => [tag("StorageClass", storageClassOf(tier))],
  ObjectSize: ({ size }) => [tag("ObjectSize", size)],
};

type Headers = ReadonlyMap<string, string>;

export const getObjectAttributes: S3Operation<ObjectCall> = {
  name: "GetObjectAttributes",
  access: "storage:read",
  run: async ({ cloud, bucket, key, gate, request: { headers, query } }) => {
    const versionId = query.get("versionId");
    const customerKey = customerKeyOf(headers);
    const choice = { key, customerKey, gate, ...(versionId !== undefined && { versionId }) };
    const { version } = await cloud.objects.read(bucket, choice);
    assertCustomerKey(version, customerKey);
    const asked = namesOf(headers);
    return {
      headers: { "last-modified": version.lastModified.toUTCString(), ...versionIdHeader(bucket, version) },
      body: xmlDocument(
        "GetObjectAttributesResponse",
        Object.entries(ATTRIBUTES).flatMap(([name, tags]) => (asked.has(name) ? tags(version, headers) : [])),
      ),
    };
  },
};

function namesOf(headers: Headers): ReadonlySet<string> {
  const names = (headers.get("x-amz-object-attributes") ?? "").split(",").map((name) => name.trim());
  if (names.every((name) => name in ATTRIBUTES)) return new Set(names);
  throw new S3Error(
    "InvalidArgument",
    `x-amz-object-attributes must be a list of ${Object.keys(ATTRIBUTES).join(", ")}.`,
  );
}

/** Here S3 shows composite checksums without the number of parts, which ObjectParts has. */
const withoutCounts = (checksums: ObjectVersion["checksums"]): ObjectVersion["checksums"] =>
  Object.fromEntries(Object.entries(checksums).map(([algorithm, value]) => [algorithm, value.replace(/-\d+$/, "")]));

function partsTag({ checksums, partChecksums = [] }: ObjectVersion, sizes: readonly number[], headers: Headers): Xml {
  const [algorithm = ""] = Object.keys(checksums);
  const after = countOf(headers, "x-amz-part-number-marker", { byDefault: 0, max: 10_000 });
  const limit = countOf(headers, "x-amz-max-parts", { byDefault: PARTS_MAX, max: PARTS_MAX });
  const page = sizes.slice(after, after + limit);
  const isTruncated = after + page.length < sizes.length;
  return tag("ObjectParts", [
    tag("PartsCount", sizes.length),
    tag("PartNumberMarker", after),
    ...optionalTag("NextPartNumberMarker", page.length > 0 ? after + page.length : undefined),
    tag("MaxParts", limit),
    tag("IsTruncated", isTruncated),
    ...page.map((size, i) =>
      tag("Part", [
        tag("PartNumber", after + i + 1),
        tag("Size", size),
        ...optionalTag(`Checksum${algorithm}`, partChecksums[after + i]),
      ]),
    ),
  ]);
}
