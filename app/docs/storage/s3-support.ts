/** What of the S3 API is there, as people read it. */
export const SUPPORTED = [
  [
    "Objects",
    "Put, get, head, copy, delete one or 1,000, ranges, parts, attributes, checksums (CRC32, CRC32C, CRC64NVME, SHA1, SHA256), conditions on reads, writes, copies and deletions, tags, restores.",
  ],
  ["Uploads in parts", "All operations; the checksum of a completion is that of the object."],
  [
    "Forms",
    "POST of multipart/form-data with a policy, signed with Version 4 or 2; fields for metadata, tags, checksums, redirects and the status.",
  ],
  ["Buckets", "Create, list, delete, versions, CORS, lifecycle rules, tags, location."],
  [
    "Access lists",
    "Of buckets, objects and versions: canned lists, x-amz-grant-* headers and documents with up to 100 grants to tenants, AllUsers and AuthenticatedUsers; the three kinds of object ownership.",
  ],
  ["Access", "Bucket policies and their status, public access blocks; see below for the parts of the policy language."],
  ["Encryption", "AES256 by request or by a setting of the bucket, and keys of the client."],
  [
    "Object lock",
    "Enabled by CreateBucket or later, default retention, retention in governance and compliance mode, legal holds, bypassing governance; see below.",
  ],
  [
    "Signatures",
    "Version 4 in headers, presigned URLs, chunks and trailers; Version 2 in headers, presigned URLs and forms, for what it protects.",
  ],
] as const;

/** What is not; each of it is rejected with 501 NotImplemented, which names the header or the parameter. */
export const UNSUPPORTED = [
  [
    "Access lists",
    "The canned lists aws-exec-read and log-delivery-write, and the group LogDelivery. Grantees by email address are rejected with UnresolvableGrantByEmailAddress, whether or not there is such an account.",
  ],
  ["Encryption", "Key services: aws:kms, aws:kms:dsse and the headers of their keys."],
  ["Lifecycle rules", "TransitionDefaultMinimumObjectSize: objects of every size are moved; more than 100 rules."],
  ["Websites", "PutBucketWebsite, x-amz-website-redirect-location."],
  [
    "Settings",
    "PutBucketLogging except to turn it off, PutBucketNotificationConfiguration (use webhooks), PutBucketReplication, PutBucketAccelerateConfiguration and PutBucketRequestPayment with another value than every bucket has; analytics, inventory, metrics and intelligent tiering.",
  ],
  [
    "Objects",
    "A checksum that no client asked for: S3 adds a CRC64NVME to each object, svc has the one that was sent; SelectObjectContent, RenameObject, GetObjectTorrent, appending (x-amz-write-offset-bytes), UpdateObjectEncryption.",
  ],
  ["MFA", "PutBucketVersioning with MfaDelete; no bucket requires a second factor, so x-amz-mfa changes nothing."],
  ["Sessions", "CreateSession; x-amz-security-token changes nothing, because access keys have no sessions."],
  [
    "Signatures",
    "Version 4A; Version 2 for changes by a parameter that it does not sign, such as encryption or publicAccessBlock.",
  ],
] as const;
