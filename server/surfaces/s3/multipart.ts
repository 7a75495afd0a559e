import { S3_PATH } from "../../cloud/data/buckets/s3-endpoint";
import {
  CHECKSUM_ALGORITHMS,
  type CompletedPart,
  type CompletedUpload,
  type Upload,
} from "../../cloud/data/objects/objects";
import { newAccess } from "./access-lists";
import { type Checksums, checkedValue, checksumsOf, parseAlgorithm } from "./body-checks";
import { parsePartNumber } from "./byte-range";
import { etagOf, writeConditionOf } from "./conditions";
import { askedEncryption, customerKeyOf, encryptionHeaders } from "./encryption-headers";
import { expirationHeader } from "./expiration";
import { countOf } from "./list-parameters";
import { askedLock } from "./lock-headers";
import { checksumHeaders, checksumTags, newVersionHeader, propertiesOf } from "./object-fields";
import { ownerTag } from "./owner-tag";
import { encodePath } from "./percent-encoding";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import { openBody } from "./request-body";
import type { ObjectCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { askedTier, storageClassOf } from "./storage-class";
import { headerTags } from "./tags";
import { optionalTag, tag, xmlDocument } from "./write-xml";
import { readDocumentOnly } from "./xml-body";

const PARTS_MAX = 10_000;

const write = (name: string, run: S3Operation<ObjectCall>["run"]): S3Operation<ObjectCall> => ({
  name,
  access: "storage:write",
  run,
});

const uploadOf = ({ request, key }: ObjectCall) => ({ key, uploadId: request.query.get("uploadId") ?? "" });

export const createMultipartUpload = write("CreateMultipartUpload", async (call) => {
  const { cloud, bucket, key } = call;
  const { headers } = call.request;
  const upload = await cloud.objects.createUpload(bucket, {
    key,
    properties: propertiesOf(headers),
    ...checksumChoice(headers),
    ...headerTags(headers.get("x-amz-tagging")),
    ...askedTier(headers),
    ...askedEncryption(headers),
    ...askedLock(headers),
    ...(await newAccess(call)),
  });
  return {
    headers: { ...uploadHeaders(upload), ...encryptionHeaders(upload, customerKeyOf(headers)) },
    body: xmlDocument("InitiateMultipartUploadResult", [
      tag("Bucket", bucket.name),
      tag("Key", key),
      tag("UploadId", upload.uploadId),
    ]),
  };
});

export const uploadPart = write("UploadPart", async (call) => {
  const { request, cloud, bucket } = call;
  const number = parsePartNumber(request.query.get("partNumber") ?? "");
  const body = openBody({ ...request, outgoing: call.outgoing, signature: call.caller.signature });
  const customerKey = customerKeyOf(request.headers);
  const part = await cloud.objects
    .putPart(bucket, { ...uploadOf(call), number, body, customerKey })
    .catch((failure) => {
      throw body.failure ?? failure;
    });
  const encrypted = customerKey && encryptionHeaders({ encryption: "customer" }, customerKey);
  return { headers: { etag: `"${part.etag}"`, ...checksumHeaders(part), ...encrypted } };
});

export const completeMultipartUpload = write("CompleteMultipartUpload", async (call) => {
  const { request, cloud, bucket, key } = call;
  if (request.headers.get("content-length") === "0") throw wrongParts();
  const parts = childrenOf(await readDocumentOnly(call, "CompleteMultipartUpload"), "Part").map(partOf);
  if (parts.length === 0 || parts.length > PARTS_MAX) throw wrongParts();
  const version = await cloud.objects.completeUpload(bucket, {
    ...uploadOf(call),
    parts,
    checksums: checksumsOf(request.headers),
    ...expectedOf(request.headers),
    ...writeConditionOf(request.headers),
  });
  return {
    headers: {
      ...newVersionHeader(bucket, version),
      ...encryptionHeaders(version, customerKeyOf(request.headers)),
      ...expirationHeader(bucket, version),
    },
    body: xmlDocument("CompleteMultipartUploadResult", [
      tag("Location", `${cloud.publicUrl}${S3_PATH}/${bucket.name}/${encodePath(key)}`),
      tag("Bucket", bucket.name),
      tag("Key", key),
      tag("ETag", `"${version.etag}"`),
      ...checksumTags(version.checksums),
      ...optionalTag("ChecksumType", Object.keys(version.checksums).length > 0 ? version.checksumType : undefined),
    ]),
  };
});

export const abortMultipartUpload = write("AbortMultipartUpload", async (call) => {
  await call.cloud.objects.abortUpload(call.bucket, uploadOf(call));
  return { status: 204 };
});

export const listParts: S3Operation<ObjectCall> = {
  name: "ListParts",
  access: "storage:read",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const after = countOf(request.query, "part-number-marker", { byDefault: 0, max: PARTS_MAX });
    const limit = countOf(request.query, "max-parts", { byDefault: 1000, max: 1000 });
    const upload = await cloud.objects.findUpload(bucket, uploadOf(call));
    if (!upload) throw new S3Error("NoSuchUpload", "The upload does not exist; it may be completed or aborted.");
    const page =
      limit === 0
        ? { parts: [], next: undefined }
        : await cloud.objects.listParts(bucket, uploadOf(call), { after, limit });
    return {
      body: xmlDocument("ListPartsResult", [
        tag("Bucket", bucket.name),
        tag("Key", key),
        tag("UploadId", upload.uploadId),
        tag("PartNumberMarker", after),
        ...optionalTag("NextPartNumberMarker", page.parts.at(-1)?.number),
        tag("MaxParts", limit),
        tag("IsTruncated", page.next !== undefined),
        ...page.parts.map(({ number, size, etag, lastModified, checksums }) =>
          tag("Part", [
            tag("PartNumber", number),
            tag("LastModified", lastModified.toISOString()),
            tag("ETag", `"${etag}"`),
            tag("Size", size),
            ...checksumTags(checksums),
          ]),
        ),
        ownerTag("Owner", upload.access?.owner ?? bucket.tenantId),
        ownerTag("Initiator", upload.access?.owner ?? bucket.tenantId),
        tag("StorageClass", storageClassOf(upload.tier)),
        ...optionalTag("ChecksumAlgorithm", upload.algorithm),
        ...optionalTag("ChecksumType", upload.checksumType),
      ]),
    };
  },
};

const wrongParts = (): S3Error => new S3Error("MalformedXML", `A CompleteMultipartUpload has 1 to ${PARTS_MAX} parts.`);

type Headers = ReadonlyMap<string, string>;

function checksumChoice(headers: Headers): Pick<Upload, "algorithm" | "checksumType"> {
  const [algorithm, type] = [headers.get("x-amz-checksum-algorithm"), checksumTypeOf(headers)];
  if (algorithm === undefined) {
    if (type !== undefined) throw new S3Error("InvalidRequest", "x-amz-checksum-type needs x-amz-checksum-algorithm.");
    return {};
  }
  const chosen = parseAlgorithm(algorithm);
  const isSha = chosen.startsWith("SHA");
  if ((isSha && type === "FULL_OBJECT") || (chosen === "CRC64NVME" && type === "COMPOSITE")) {
    throw new S3Error("InvalidRequest", `A multipart upload cannot have a checksum ${chosen} of the type ${type}.`);
  }
  return { algorithm: chosen, checksumType: type ?? (chosen === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE") };
}

function checksumTypeOf(headers: Headers): CompletedUpload["checksumType"] {
  const type = headers.get("x-amz-checksum-type")?.toUpperCase();
  if (type === undefined || type === "FULL_OBJECT" || type === "COMPOSITE") return type;
  throw new S3Error("InvalidRequest", "x-amz-checksum-type must be FULL_OBJECT or COMPOSITE.");
}

/** What a client expects the object to be. */
function expectedOf(headers: Headers): Pick<CompletedUpload, "checksumType" | "size"> {
  const checksumType = checksumTypeOf(headers);
  const size = headers.get("x-amz-mp-object-size");
  if (size !== undefined && !/^\d{1,15}$/.test(size)) {
    throw new S3Error("InvalidRequest", "x-amz-mp-object-size must be a number of bytes.");
  }
  return { ...(checksumType && { checksumType }), ...(size !== undefined && { size: Number(size) }) };
}

const uploadHeaders = ({ algorithm, checksumType }: Upload): Record<string, string> => ({
  ...(algorithm && { "x-amz-checksum-algorithm": algorithm }),
  ...(algorithm && checksumType && { "x-amz-checksum-type": checksumType }),
});

function partOf(element: XmlElement): CompletedPart {
  const [number, etag] = [textIn(element, "PartNumber") ?? "", textIn(element, "ETag")];
  if (!/^\d{1,9}$/.test(number) || etag === undefined) {
    throw new S3Error("MalformedXML", "Each Part must have a PartNumber and an ETag.");
  }
  const checksums: Checksums = {};
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = textIn(element, `Checksum${algorithm}`);
    if (value) checksums[algorithm] = checkedValue(algorithm, value);
  }
  return { number: parsePartNumber(number), etag: etagOf(etag), checksums };
}
