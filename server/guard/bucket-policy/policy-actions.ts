/** The actions of S3 on buckets and objects, from "Actions, resources, and condition keys for Amazon S3". */
const NAMES = [
  "AbortMultipartUpload BypassGovernanceRetention CreateBucket DeleteBucket DeleteBucketPolicy DeleteBucketWebsite",
  "DeleteObject DeleteObjectTagging DeleteObjectVersion DeleteObjectVersionTagging GetAccelerateConfiguration",
  "GetAnalyticsConfiguration GetBucketAcl GetBucketCORS GetBucketLocation GetBucketLogging GetBucketNotification",
  "GetBucketObjectLockConfiguration GetBucketOwnershipControls GetBucketPolicy GetBucketPolicyStatus",
  "GetBucketPublicAccessBlock GetBucketRequestPayment GetBucketTagging GetBucketVersioning GetBucketWebsite",
  "GetEncryptionConfiguration GetIntelligentTieringConfiguration GetInventoryConfiguration GetLifecycleConfiguration",
  "GetMetricsConfiguration GetObject GetObjectAcl GetObjectAttributes GetObjectLegalHold GetObjectRetention",
  "GetObjectTagging GetObjectTorrent GetObjectVersion GetObjectVersionAcl GetObjectVersionAttributes",
  "GetObjectVersionForReplication GetObjectVersionTagging GetObjectVersionTorrent GetReplicationConfiguration",
  "ListBucket ListBucketMultipartUploads ListBucketVersions ListMultipartUploadParts ObjectOwnerOverrideToBucketOwner",
  "PutAccelerateConfiguration PutAnalyticsConfiguration PutBucketAcl PutBucketCORS PutBucketLogging",
  "PutBucketNotification PutBucketObjectLockConfiguration PutBucketOwnershipControls PutBucketPolicy",
  "PutBucketPublicAccessBlock PutBucketRequestPayment PutBucketTagging PutBucketVersioning PutBucketWebsite",
  "PutEncryptionConfiguration PutIntelligentTieringConfiguration PutInventoryConfiguration PutLifecycleConfiguration",
  "PutMetricsConfiguration PutObject PutObjectAcl PutObjectLegalHold PutObjectRetention PutObjectTagging",
  "PutObjectVersionAcl PutObjectVersionTagging PutReplicationConfiguration ReplicateDelete ReplicateObject",
  "ReplicateTags RestoreObject",
];

/** In lower case: the case of an action does not matter. */
export const POLICY_ACTIONS: readonly string[] = NAMES.flatMap((line) => line.split(" ")).map(
  (name) => `s3:${name.toLowerCase()}`,
);
