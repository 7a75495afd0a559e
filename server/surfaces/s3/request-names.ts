/**
 * Every header of a request that S3 gives a meaning, and every query parameter that chooses an operation. A header
 * that svc does not act on where S3 would is refused there: ignoring it would promise what does not happen.
 */

/** Where a header has a meaning. Operations are named as in the S3 API reference; others ignore it, as S3 does. */
export interface HeaderRule {
  /** Operations that act on it. */
  used?: Operations;
  /** Operations that refuse it with `NotImplemented`. */
  refused?: Operations;
  /** Why it changes nothing although it is accepted. */
  harmless?: string;
}

type Operations = readonly string[] | "all";

const PUTS = ["PutObject", "PostObject", "CopyObject", "CreateMultipartUpload"];
const COPIES = ["CopyObject", "UploadPartCopy"];
const READS = ["GetObject", "HeadObject"];
const LISTS = ["ListObjects", "ListObjectsV2", "ListObjectVersions"];
const WITH_BODY = ["PutObject", "UploadPart"];
/** Operations to which S3 gives the encryption with a key of the client. */
const OF_CUSTOMER_KEYS = [
  ...PUTS,
  ...READS,
  "UploadPart",
  "UploadPartCopy",
  "CompleteMultipartUpload",
  "GetObjectAttributes",
  "ListParts",
];
/** Operations on which HTTP conditions would decide whether something is written. */
const UNCONDITIONAL = [
  "CreateMultipartUpload",
  "UploadPart",
  "UploadPartCopy",
  "AbortMultipartUpload",
  "PutObjectTagging",
  "DeleteObjectTagging",
  "RestoreObject",
];

const used = (...operations: readonly string[]): HeaderRule => ({ used: operations });
const refused = (...operations: readonly string[]): HeaderRule => ({ refused: operations });
const USED_BY_ALL: HeaderRule = { used: "all" };
const OF_LISTS = used("CreateBucket", "PutBucketAcl", ...PUTS, "PutObjectAcl");
const CHECKSUM = used(...WITH_BODY, "PostObject", "CompleteMultipartUpload");
const harmless = (why: string): HeaderRule => ({ harmless: why });

/** By name in lower case. */
export const HEADERS: Readonly<Record<string, HeaderRule>> = {
  // The signature, and how the body is sent.
  "x-amz-algorithm": USED_BY_ALL,
  "x-amz-content-sha256": USED_BY_ALL,
  "x-amz-credential": USED_BY_ALL,
  "x-amz-date": USED_BY_ALL,
  "x-amz-decoded-content-length": USED_BY_ALL,
  "x-amz-expires": USED_BY_ALL,
  "x-amz-sdk-checksum-algorithm": USED_BY_ALL,
  "x-amz-security-token": harmless("Access keys of svc have no sessions; the key alone decides"),
  "x-amz-signature": USED_BY_ALL,
  "x-amz-signedheaders": USED_BY_ALL,
  "x-amz-trailer": USED_BY_ALL,
  "x-amz-user-agent": harmless("The name of a client in a browser"),

  // Whose bucket it is, and who may use it.
  "x-amz-acl": OF_LISTS,
  "x-amz-confirm-remove-self-bucket-access": harmless("The owner of a bucket can always replace its policy"),
  "x-amz-expected-bucket-owner": USED_BY_ALL,
  "x-amz-grant-full-control": OF_LISTS,
  "x-amz-grant-read": OF_LISTS,
  "x-amz-grant-read-acp": OF_LISTS,
  "x-amz-grant-write": OF_LISTS,
  "x-amz-grant-write-acp": OF_LISTS,
  "x-amz-mfa": harmless("No bucket requires a second factor; PutBucketVersioning refuses MfaDelete"),
  "x-amz-object-ownership": used("CreateBucket"),
  "x-amz-request-payer": harmless("The owner of a bucket pays for every request"),
  "x-amz-source-expected-bucket-owner": used(...COPIES),

  // New objects.
  "x-amz-checksum-algorithm": used("CreateMultipartUpload", "CopyObject"),
  "x-amz-checksum-crc32": CHECKSUM,
  "x-amz-checksum-crc32c": CHECKSUM,
  "x-amz-checksum-crc64nvme": CHECKSUM,
  "x-amz-checksum-mode": used(...READS),
  "x-amz-checksum-sha1": CHECKSUM,
  "x-amz-checksum-sha256": CHECKSUM,
  "x-amz-checksum-type": used("CreateMultipartUpload", "CompleteMultipartUpload"),
  "x-amz-mp-object-size": used("CompleteMultipartUpload"),
  "x-amz-storage-class": used(...PUTS),
  "x-amz-tagging": used(...PUTS),
  "x-amz-website-redirect-location": refused(...PUTS),
  "x-amz-write-offset-bytes": refused("PutObject"),

  // Copies.
  "x-amz-copy-source": used(...COPIES),
  "x-amz-copy-source-if-match": used(...COPIES),
  "x-amz-copy-source-if-modified-since": used(...COPIES),
  "x-amz-copy-source-if-none-match": used(...COPIES),
  "x-amz-copy-source-if-unmodified-since": used(...COPIES),
  "x-amz-copy-source-range": used("UploadPartCopy"),
  "x-amz-metadata-directive": used("CopyObject"),
  "x-amz-tagging-directive": used("CopyObject"),

  // Encryption.
  "x-amz-copy-source-server-side-encryption-customer-algorithm": used(...COPIES),
  "x-amz-copy-source-server-side-encryption-customer-key": used(...COPIES),
  "x-amz-copy-source-server-side-encryption-customer-key-md5": used(...COPIES),
  "x-amz-server-side-encryption": used(...PUTS, ...READS),
  "x-amz-server-side-encryption-aws-kms-key-id": used(...PUTS),
  "x-amz-server-side-encryption-bucket-key-enabled": refused(...PUTS),
  "x-amz-server-side-encryption-context": refused(...PUTS),
  "x-amz-server-side-encryption-customer-algorithm": used(...OF_CUSTOMER_KEYS),
  "x-amz-server-side-encryption-customer-key": used(...OF_CUSTOMER_KEYS),
  "x-amz-server-side-encryption-customer-key-md5": used(...OF_CUSTOMER_KEYS),

  // Object lock.
  "x-amz-bucket-object-lock-enabled": used("CreateBucket"),
  "x-amz-bucket-object-lock-token": harmless("Object lock is enabled for an existing bucket without a token"),
  "x-amz-bypass-governance-retention": used("DeleteObject", "DeleteObjects", "PutObjectRetention"),
  "x-amz-object-lock-legal-hold": used(...PUTS),
  "x-amz-object-lock-mode": used(...PUTS),
  "x-amz-object-lock-retain-until-date": used(...PUTS),

  // Deletions under conditions.
  "x-amz-if-match-initiated-time": refused("AbortMultipartUpload"),
  "x-amz-if-match-last-modified-time": used("DeleteObject"),
  "x-amz-if-match-size": used("DeleteObject"),

  // What a response has.
  "x-amz-max-parts": used("GetObjectAttributes"),
  "x-amz-object-attributes": used("GetObjectAttributes"),
  "x-amz-optional-object-attributes": used(...LISTS),
  "x-amz-part-number-marker": used("GetObjectAttributes"),

  // Settings of buckets.
  "x-amz-bucket-region": harmless("Every region that a client names is the one of svc"),
  "x-amz-transition-default-minimum-object-size": refused("PutBucketLifecycleConfiguration"),

  // Conditions of HTTP.
  "if-match": {
    used: [...READS, "PutObject", "CopyObject", "CompleteMultipartUpload", "DeleteObject"],
    refused: UNCONDITIONAL,
  },
  "if-none-match": {
    used: [...READS, "PutObject", "CopyObject", "CompleteMultipartUpload"],
    refused: ["DeleteObject", ...UNCONDITIONAL],
  },
  "if-modified-since": { used: READS, refused: ["PutObject", "CopyObject", "DeleteObject", ...UNCONDITIONAL] },
  "if-unmodified-since": { used: READS, refused: ["PutObject", "CopyObject", "DeleteObject", ...UNCONDITIONAL] },
};

/** All names with one of these prefixes are treated alike. */
export const HEADER_PREFIXES: Readonly<Record<string, HeaderRule>> = {
  // An algorithm that svc does not have is refused where the checksums are read.
  "x-amz-checksum-": CHECKSUM,
  "x-amz-meta-": used(...PUTS),
  "x-amz-cf-": harmless("CloudFront adds them to what it passes on"),
};

/** Query parameters that choose an operation. An unknown one of S3 must not be taken for the plain operation. */
export const SUB_RESOURCES = [
  "abac",
  "accelerate",
  "acl",
  "analytics",
  "append",
  "attributes",
  "cors",
  "delete",
  "encryption",
  "intelligent-tiering",
  "inventory",
  "legal-hold",
  "lifecycle",
  "list-type",
  "location",
  "logging",
  "metadataConfiguration",
  "metadataInventoryTable",
  "metadataJournalTable",
  "metadataTable",
  "metrics",
  "notification",
  "object-lock",
  "ownershipControls",
  "policy",
  "policyStatus",
  "publicAccessBlock",
  "renameObject",
  "replication",
  "requestPayment",
  "restore",
  "retention",
  "select",
  "session",
  "tagging",
  "torrent",
  "uploadId",
  "uploads",
  "versioning",
  "versions",
  "website",
];
