import { listParametersOf, listTags, optionsOf, prefixTags } from "./list-parameters";
import { ownerTag } from "./owner-tag";
import type { BucketCall, S3Operation } from "./s3-call";
import { storageClassOf } from "./storage-class";
import { optionalTag, tag, xmlDocument } from "./write-xml";

export const listMultipartUploads: S3Operation<BucketCall> = {
  name: "ListMultipartUploads",
  access: "storage:read",
  run: async ({ request: { query }, cloud, bucket }) => {
    const parameters = listParametersOf(query, "max-uploads");
    const { limit, shown } = parameters;
    const keyMarker = query.get("key-marker") ?? "";
    // Without a key it has no meaning, and S3 ignores it.
    const uploadMarker = keyMarker === "" ? "" : (query.get("upload-id-marker") ?? "");
    const options = { ...optionsOf(parameters, keyMarker), ...(uploadMarker && { afterUploadId: uploadMarker }) };
    const page =
      limit === 0 ? { uploads: [], prefixes: [], next: undefined } : await cloud.objects.listUploads(bucket, options);
    return {
      body: xmlDocument("ListMultipartUploadsResult", [
        tag("Bucket", bucket.name),
        ...listTags(parameters),
        tag("KeyMarker", shown(keyMarker)),
        tag("UploadIdMarker", uploadMarker),
        tag("MaxUploads", limit),
        tag("IsTruncated", page.next !== undefined),
        ...(page.next
          ? [tag("NextKeyMarker", shown(page.next.key)), tag("NextUploadIdMarker", page.next.uploadId)]
          : []),
        ...page.uploads.map(({ key, uploadId, startedAt, algorithm, checksumType, tier, access }) =>
          tag("Upload", [
            tag("Key", shown(key)),
            tag("UploadId", uploadId),
            tag("Initiated", startedAt.toISOString()),
            ownerTag("Owner", access?.owner ?? bucket.tenantId),
            ownerTag("Initiator", access?.owner ?? bucket.tenantId),
            tag("StorageClass", storageClassOf(tier)),
            ...optionalTag("ChecksumAlgorithm", algorithm),
            ...optionalTag("ChecksumType", checksumType),
          ]),
        ),
        ...prefixTags(page.prefixes, parameters),
      ]),
    };
  },
};
