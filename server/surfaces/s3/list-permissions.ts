import type { Permission } from "../../cloud/data/objects/object-access";

interface Needed {
  /** Whose access list gives it. */
  of: "bucket" | "object";
  permission: Permission;
}

const ofBucket = (permission: Permission): Needed => ({ of: "bucket", permission });
const ofObject = (permission: Permission): Needed => ({ of: "object", permission });

/**
 * The permissions of access lists, by operations as the S3 API reference names them, from "Access control list (ACL)
 * overview" of the Amazon S3 user guide. Other operations are those of the bucket's owner.
 */
const NEEDED: Readonly<Record<string, Needed>> = {
  HeadBucket: ofBucket("read"),
  ListObjects: ofBucket("read"),
  ListObjectsV2: ofBucket("read"),
  ListObjectVersions: ofBucket("read"),
  ListMultipartUploads: ofBucket("read"),
  PutObject: ofBucket("write"),
  PostObject: ofBucket("write"),
  CopyObject: ofBucket("write"),
  CreateMultipartUpload: ofBucket("write"),
  UploadPart: ofBucket("write"),
  UploadPartCopy: ofBucket("write"),
  CompleteMultipartUpload: ofBucket("write"),
  AbortMultipartUpload: ofBucket("write"),
  ListParts: ofBucket("write"),
  DeleteObject: ofBucket("write"),
  DeleteObjects: ofBucket("write"),
  GetBucketAcl: ofBucket("read_acp"),
  PutBucketAcl: ofBucket("write_acp"),
  GetObject: ofObject("read"),
  HeadObject: ofObject("read"),
  GetObjectAttributes: ofObject("read"),
  GetObjectAcl: ofObject("read_acp"),
  PutObjectAcl: ofObject("write_acp"),
};

export const neededPermission = (operation: string): Needed | undefined =>
  Object.hasOwn(NEEDED, operation) ? NEEDED[operation] : undefined;

/** The owner of a bucket can always do these, because it pays for the bytes in it. */
export const OF_EVERY_OWNER: ReadonlySet<string> = new Set([
  "AbortMultipartUpload",
  "DeleteObject",
  "DeleteObjects",
  "ListParts",
]);

/** Others do these only with the uploads that they began, and not without credentials. */
export const OF_UPLOADS: ReadonlySet<string> = new Set([
  "UploadPart",
  "UploadPartCopy",
  "CompleteMultipartUpload",
  "AbortMultipartUpload",
  "ListParts",
]);
