import { route, routeGroup } from "../../../operation/route";
import { createBucket } from "./create-bucket";
import { createStorageCredentials } from "./create-storage-credentials";
import { deleteBucket } from "./delete-bucket";
import { deleteObject } from "./delete-object";
import { deleteObjects } from "./delete-objects";
import { getBucket } from "./get-bucket";
import { getBucketUsage } from "./get-bucket-usage";
import { getObject } from "./get-object";
import { listBuckets } from "./list-buckets";
import { listObjects } from "./list-objects";
import { presignObject } from "./presign-object";
import { restoreObject } from "./restore-object";
import { updateBucket } from "./update-bucket";
import { updateObjectLock } from "./update-object-lock";

export const storageRoutes = routeGroup("Storage", "Object storage: buckets, objects, presigned URLs, S3 credentials", [
  route("POST", "/v1/storage/buckets", createBucket),
  route("GET", "/v1/storage/buckets", listBuckets),
  route("GET", "/v1/storage/buckets/{bucket}", getBucket),
  route("PATCH", "/v1/storage/buckets/{bucket}", updateBucket),
  route("DELETE", "/v1/storage/buckets/{bucket}", deleteBucket),
  route("GET", "/v1/storage/buckets/{bucket}/usage", getBucketUsage),
  route("GET", "/v1/storage/buckets/{bucket}/objects", listObjects),
  route("POST", "/v1/storage/buckets/{bucket}/objects/delete", deleteObjects),
  route("GET", "/v1/storage/buckets/{bucket}/objects/{key}", getObject),
  route("DELETE", "/v1/storage/buckets/{bucket}/objects/{key}", deleteObject),
  route("POST", "/v1/storage/buckets/{bucket}/objects/{key}/restore", restoreObject),
  route("PATCH", "/v1/storage/buckets/{bucket}/objects/{key}/lock", updateObjectLock),
  route("POST", "/v1/storage/presign", presignObject),
  route("POST", "/v1/storage/credentials", createStorageCredentials),
]);
