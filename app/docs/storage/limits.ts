/** The limits of object storage, as people read them. */
export const LIMITS = [
  ["Key of an object", "1 to 1,024 bytes of UTF-8"],
  ["Object", "5 GiB in one request, 5 TiB with a multipart upload"],
  ["Parts", "10,000 per upload; each but the last has at least 5 MiB"],
  ["User metadata", "2 KiB per object, x-amz-meta-…"],
  ["List", "1,000 objects and prefixes per page"],
  ["Delete", "1,000 keys per call"],
  [
    "Open requests of S3",
    "1,000 of a tenant at the same time in each process of svc, fewer while others have many; beyond it 503 SlowDown",
  ],
  ["Presigned URL", "1 second to 7 days"],
  ["Rules", "100 CORS rules and 100 lifecycle rules per bucket"],
  ["Name of a bucket", "3 to 63 characters of a-z 0-9 . -, unique in this installation"],
  ["Usage history", "90 days"],
  ["Buckets", "100 per tenant; your operator can raise it"],
  ["Stored bytes", "100 GiB per tenant, all versions and unfinished uploads; your operator can raise it"],
  ["Stored objects", "10,000,000 per tenant, each version counts; your operator can raise it"],
] as const;

/** The storage classes, their names in S3 and what is different in each, as people read them. */
export const CLASSES = [
  ["hot", "STANDARD: stored as it is"],
  ["warm", "STANDARD_IA: compressed, and read without a delay"],
  ["cold", "GLACIER_IR: compressed further, and read without a delay"],
  ["archive", "GLACIER: compressed further, and restored before it is read"],
] as const;
