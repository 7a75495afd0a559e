import { ABSENT_SETTINGS } from "./absent-settings";
import * as accessLists from "./access-lists";
import { ENCRYPTION_OPERATIONS } from "./bucket-encryption";
import { LIFECYCLE_OPERATIONS } from "./bucket-lifecycle";
import { LOCK_SETTINGS } from "./bucket-object-lock";
import { POLICY_OPERATIONS } from "./bucket-policy";
import * as settings from "./bucket-settings";
import * as bucketTagging from "./bucket-tagging";
import { createBucket, deleteBucket, getBucketLocation, headBucket, listBuckets } from "./buckets";
import { copyObject, uploadPartCopy } from "./copy-object";
import { deleteObjects } from "./delete-objects";
import * as fixedSettings from "./fixed-settings";
import { listObjects, listObjectsV2, listObjectVersions } from "./list-objects";
import { listMultipartUploads } from "./list-uploads";
import * as multipart from "./multipart";
import { getObjectAttributes } from "./object-attributes";
import { LOCK_OPERATIONS } from "./object-lock";
import {
  deleteBucketOwnershipControls,
  getBucketOwnershipControls,
  putBucketOwnershipControls,
} from "./object-ownership";
import * as tagging from "./object-tagging";
import { deleteObject, putObject } from "./put-object";
import { getObject, headObject } from "./read-object";
import { SUB_RESOURCES } from "./request-names";
import { restoreObject } from "./restore-object";
import type { BucketCall, ObjectCall, S3Call, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";

/** An operation and what its path names. */
export type FoundOperation =
  | { on: "installation"; operation: S3Operation<S3Call> }
  | { on: "bucket"; operation: S3Operation<BucketCall> }
  | { on: "object"; operation: S3Operation<ObjectCall> };

/** `METHOD ?sub-resource`, or the method alone. */
const BUCKET_OPERATIONS: Readonly<Record<string, S3Operation<BucketCall>>> = {
  GET: listObjects,
  HEAD: headBucket,
  DELETE: deleteBucket,
  "GET ?list-type": listObjectsV2,
  "GET ?versions": listObjectVersions,
  "GET ?uploads": listMultipartUploads,
  "POST ?delete": deleteObjects,
  "GET ?location": getBucketLocation,
  "GET ?versioning": settings.getBucketVersioning,
  "PUT ?versioning": settings.putBucketVersioning,
  "GET ?cors": settings.getBucketCors,
  "PUT ?cors": settings.putBucketCors,
  "DELETE ?cors": settings.deleteBucketCors,
  "GET ?acl": accessLists.getBucketAcl,
  "PUT ?acl": accessLists.putBucketAcl,
  "PUT ?logging": fixedSettings.putBucketLogging,
  "GET ?ownershipControls": getBucketOwnershipControls,
  "PUT ?ownershipControls": putBucketOwnershipControls,
  "DELETE ?ownershipControls": deleteBucketOwnershipControls,
  "PUT ?requestPayment": fixedSettings.putBucketRequestPayment,
  "GET ?tagging": bucketTagging.getBucketTagging,
  "PUT ?tagging": bucketTagging.putBucketTagging,
  "DELETE ?tagging": bucketTagging.deleteBucketTagging,
  ...LIFECYCLE_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...ENCRYPTION_OPERATIONS,
  ...LOCK_SETTINGS,
  ...ABSENT_SETTINGS,
};

const OBJECT_OPERATIONS: Readonly<Record<string, S3Operation<ObjectCall>>> = {
  GET: getObject,
  HEAD: headObject,
  PUT: putObject,
  DELETE: deleteObject,
  "PUT copy": copyObject,
  "POST ?uploads": multipart.createMultipartUpload,
  "PUT ?uploadId": multipart.uploadPart,
  "PUT ?uploadId copy": uploadPartCopy,
  "POST ?uploadId": multipart.completeMultipartUpload,
  "DELETE ?uploadId": multipart.abortMultipartUpload,
  "GET ?uploadId": multipart.listParts,
  "GET ?attributes": getObjectAttributes,
  "POST ?restore": restoreObject,
  "GET ?tagging": tagging.getObjectTagging,
  "PUT ?tagging": tagging.putObjectTagging,
  "DELETE ?tagging": tagging.deleteObjectTagging,
  "GET ?acl": accessLists.getObjectAcl,
  "PUT ?acl": accessLists.putObjectAcl,
  ...LOCK_OPERATIONS,
};

/** Finds the operation of a request. Throws `NotImplemented` for those of S3 that svc does not have. */
export function findOperation({ method, bucket, key, query, headers }: S3Request): FoundOperation {
  if (bucket === undefined) {
    if (method === "GET") return { on: "installation", operation: listBuckets };
    throw methodNotAllowed(method);
  }
  const resource = SUB_RESOURCES.find((name) => query.has(name));
  const isCopy = key !== undefined && method === "PUT" && headers.has("x-amz-copy-source");
  const name = [method, resource && `?${resource}`, isCopy && "copy"].filter(Boolean).join(" ");
  if (key !== undefined) {
    if (query.get("versionId") === "") throw new S3Error("InvalidArgument", "versionId must not be empty.");
    return { on: "object", operation: OBJECT_OPERATIONS[name] ?? missing(method, resource) };
  }
  // The bucket does not exist yet.
  if (name === "PUT") return { on: "installation", operation: createBucket };
  if (resource === "list-type" && query.get("list-type") !== "2") {
    throw new S3Error("InvalidArgument", "list-type must be 2.");
  }
  if (name === "POST") {
    throw new S3Error(
      "RequestIsNotMultiPartContent",
      "A POST to a bucket must be a form of the type multipart/form-data.",
    );
  }
  return { on: "bucket", operation: BUCKET_OPERATIONS[name] ?? missing(method, resource) };
}

function missing(method: string, resource: string | undefined): never {
  if (resource === undefined) throw methodNotAllowed(method);
  throw new S3Error("NotImplemented", `${method} with ?${resource} is not supported by this server.`);
}

const methodNotAllowed = (method: string): S3Error =>
  new S3Error("MethodNotAllowed", `${method.slice(0, 20)} is not allowed on this resource.`);
