/** The actions of policies for operations whose name is not that of an action. */
const ACTIONS: Readonly<Record<string, string>> = {
  AbortMultipartUpload: "AbortMultipartUpload",
  CompleteMultipartUpload: "PutObject",
  CopyObject: "PutObject",
  CreateMultipartUpload: "PutObject",
  DeleteBucketCors: "PutBucketCORS",
  DeleteBucketEncryption: "PutEncryptionConfiguration",
  DeleteBucketLifecycle: "PutLifecycleConfiguration",
  DeleteBucketOwnershipControls: "PutBucketOwnershipControls",
  DeleteBucketTagging: "PutBucketTagging",
  DeletePublicAccessBlock: "PutBucketPublicAccessBlock",
  GetBucketAccelerateConfiguration: "GetAccelerateConfiguration",
  GetBucketCors: "GetBucketCORS",
  GetBucketEncryption: "GetEncryptionConfiguration",
  GetBucketLifecycleConfiguration: "GetLifecycleConfiguration",
  GetBucketNotificationConfiguration: "GetBucketNotification",
  GetBucketReplication: "GetReplicationConfiguration",
  GetObjectLockConfiguration: "GetBucketObjectLockConfiguration",
  GetPublicAccessBlock: "GetBucketPublicAccessBlock",
  HeadBucket: "ListBucket",
  HeadObject: "GetObject",
  ListMultipartUploads: "ListBucketMultipartUploads",
  ListObjects: "ListBucket",
  ListObjectsV2: "ListBucket",
  ListObjectVersions: "ListBucketVersions",
  ListParts: "ListMultipartUploadParts",
  PostObject: "PutObject",
  PutBucketCors: "PutBucketCORS",
  PutBucketEncryption: "PutEncryptionConfiguration",
  PutBucketLifecycleConfiguration: "PutLifecycleConfiguration",
  PutObjectLockConfiguration: "PutBucketObjectLockConfiguration",
  PutPublicAccessBlock: "PutBucketPublicAccessBlock",
  UploadPart: "PutObject",
  UploadPartCopy: "PutObject",
};

/** Actions that have another name where a request names a version. */
const OF_VERSIONS: Readonly<Record<string, string>> = {
  DeleteObject: "DeleteObjectVersion",
  DeleteObjectTagging: "DeleteObjectVersionTagging",
  GetObject: "GetObjectVersion",
  GetObjectAcl: "GetObjectVersionAcl",
  GetObjectAttributes: "GetObjectVersionAttributes",
  GetObjectTagging: "GetObjectVersionTagging",
  PutObjectAcl: "PutObjectVersionAcl",
  PutObjectTagging: "PutObjectVersionTagging",
};

const TAGGED = new Set(["PutObject", "CopyObject", "CreateMultipartUpload", "PostObject"]);

/**
 * The actions of policies that a request needs, all of them. `operation`: as in the S3 API reference; `versionId`: of
 * the object that it names.
 */
export function policyActions(
  operation: string,
  { versionId, headers }: { versionId: string | undefined; headers: ReadonlyMap<string, string> },
): string[] {
  const name = ACTIONS[operation] ?? operation;
  const action = versionId === undefined ? name : (OF_VERSIONS[name] ?? name);
  const more: string[] = [];
  if (TAGGED.has(operation)) {
    if (headers.has("x-amz-tagging")) more.push("PutObjectTagging");
    if (headers.has("x-amz-object-lock-mode")) more.push("PutObjectRetention");
    if (headers.has("x-amz-object-lock-legal-hold")) more.push("PutObjectLegalHold");
  }
  if (operation === "GetObjectAttributes") more.push(versionId === undefined ? "GetObject" : "GetObjectVersion");
  return [action, ...more].map((each) => `s3:${each}`);
}
