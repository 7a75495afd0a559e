import type { Tier } from "../../../engines/objects/blob-tiers";
import type { ServiceError } from "../../../kernel/errors";
import type { ObjectAccess } from "./object-access";

/** A bucket as its objects need it. */
export interface BucketRef {
  id: string;
  tenantId: string;
  /** `suspended`: it was `on` before; new versions have the id `null`. */
  versioning: "off" | "on" | "suspended";
  /** The class in which objects are stored that name none; default: hot. */
  tier?: Tier;
  /** How new objects are encrypted that ask for nothing; default: not at all. */
  encryption?: "none" | "AES256";
  /** A `BucketLock`; null: versions can not be locked. */
  objectLock?: unknown;
}

/** With keys of this installation, or with one of the client, of 32 bytes. */
export type AskedEncryption = "AES256" | { customerKey: Buffer };

export const CHECKSUM_ALGORITHMS = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];
/** Base64; of a composite checksum followed by `-<parts>`. */
export type Checksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;

/** The properties that a client gives an object. Header names as in HTTP, in lower case. */
export interface ObjectProperties {
  contentType: string;
  /** cache-control, content-disposition, content-encoding, content-language, expires. */
  headers: Readonly<Record<string, string>>;
  /** Without the prefix `x-amz-meta-`; names in lower case. At most 2 KiB together. */
  userMetadata: Readonly<Record<string, string>>;
}

/** What a client gives a new object that is no property. */
export interface ObjectExtras {
  /** Default: none; of a copy: those of its source. */
  tags?: ObjectTags;
  /** Default: the bucket's tenant owns the object, which has no access list of its own; of a copy too. */
  access?: ObjectAccess;
}

/** `governance`: those who may bypass it can shorten it; `compliance`: nobody can. */
export type RetentionMode = "governance" | "compliance";

/** Until when a version can not be deleted, in milliseconds since 1970. */
export interface Retention {
  mode: RetentionMode;
  until: number;
}

/** A stored version, as its lock depends on it. */
export interface Lockable {
  retention?: Retention | null | undefined;
  /** Null: it was never set. */
  legalHold?: boolean | null | undefined;
}

/** The lock of a new version; where it names no retention, the default of the bucket applies. */
export interface NewLock {
  retention?: Retention;
  legalHold?: boolean;
}

/** A change of the lock of a version; what is undefined stays. */
export interface LockChoice {
  /** Null removes it. */
  retention?: Retention | null | undefined;
  legalHold?: boolean;
  /** The caller may shorten, change and remove a retention in governance mode. */
  bypassGovernance?: boolean;
}

/** That the versions of a bucket can be locked, and how long new ones are retained that ask for nothing. */
export interface BucketLock {
  /** Either days or years of 365 days. */
  default_retention: { mode: RetentionMode; days?: number | undefined; years?: number | undefined } | null;
}

/** Names with their values, in the order in which they were sent. */
export type ObjectTags = readonly (readonly [key: string, value: string])[];

/**
 * In pages of a listing, `headers` and `userMetadata` are empty, and `partSizes`, `partChecksums`, `tags` and `access` are
 * absent.
 */
export interface ObjectVersion extends ObjectProperties, ObjectExtras {
  key: string;
  /** The id of the tenant that owns it; absent: the bucket's tenant. */
  owner?: string;
  /** `null` (the text) for a version without an id. */
  versionId: string;
  isLatest: boolean;
  isDeleteMarker: boolean;
  size: number;
  /** Without quotes: hex MD5, or `<hex>-<parts>` of a multipart upload. Empty for a delete marker. */
  etag: string;
  lastModified: Date;
  checksums: Checksums;
  checksumType: "FULL_OBJECT" | "COMPOSITE";
  /** Sizes of the parts of a multipart upload, in order. */
  partSizes?: readonly number[];
  /** Of the parts, with the algorithm of `checksums`, if they are known. */
  partChecksums?: readonly (string | undefined)[];
  tier: Tier;
  /** Of an archived version: from when until when a restore makes it readable. */
  restore?: { from: Date; until: Date };
  /** Absent: it is not encrypted. `customer`: with a key of the client. */
  encryption?: "AES256" | "customer";
  /** Until when it can not be deleted, which may have passed. Absent in listings, as `legalHold`. */
  retention?: Retention;
  /** Whether it can not be deleted until that is switched off; absent: it was never set. */
  legalHold?: boolean;
}

/**
 * What the stored version must be for a change to happen; otherwise `conflict` (reason `precondition_failed`), and
 * `not_found` (reason `no_such_key`) where `ifMatch` has nothing to match.
 */
export interface WriteCondition {
  /** An ETag that the current version must have; `*`: there must be one. */
  ifMatch?: string;
  /** The size that the version must have, if there is one. */
  ifSize?: number;
  /** When the version must have been stored, if there is one: whole seconds since 1970. */
  ifModifiedAt?: number;
  /** `*`: there must be none. */
  ifNoneMatch?: "*";
}

/** A body, and what the client says about it; a mismatch is `invalid_request` (reasons below) and stores nothing. */
export interface NewBody {
  stream: AsyncIterable<Uint8Array>;
  /** The announced number of bytes; another number is reason `incomplete_body`. */
  size?: number;
  /** Hex; another one is reason `bad_digest`. */
  md5?: string;
  /** Base64; may be known only at the end of the stream (trailers); another one is reason `bad_checksum`. */
  checksums?: () => Checksums;
  /** Algorithms to compute although no value is given. */
  algorithms?: readonly ChecksumAlgorithm[];
  signal?: AbortSignal;
}

export interface NewObject extends ObjectProperties, ObjectExtras {
  key: string;
  body: NewBody;
  condition?: WriteCondition;
  /** Default: that of the bucket. */
  tier?: Tier;
  /** Default: that of the bucket. */
  encryption?: AskedEncryption;
  lock?: NewLock;
}

export interface NewCopy {
  bucket: BucketRef;
  key: string;
  /** Default: those of the source. */
  properties?: ObjectProperties;
  condition?: WriteCondition;
  tier?: Tier;
  /** Default: those of the source. */
  tags?: ObjectTags;
  access?: ObjectAccess;
  /** The checksum that the copy is to have; default: that of the source. */
  algorithm?: ChecksumAlgorithm;
  /** Default: that of the bucket; that of the source is not kept. */
  encryption?: AskedEncryption;
  /** That of the source is not kept. */
  lock?: NewLock;
}

export interface VersionChoice {
  key: string;
  /** Default: the latest. */
  versionId?: string;
}

export interface DeleteChoice extends VersionChoice {
  /** Of this version alone: the others are deleted whether or not it is met. */
  condition?: WriteCondition;
  /** The caller may delete a version that is retained in governance mode. */
  bypassGovernance?: boolean | undefined;
}

/**
 * Decides whether a caller may learn anything about a version, which is undefined if there is none with content. Throws if
 * not; it is asked before every other error.
 */
export type Gate = (version: ObjectVersion | undefined) => void;

export interface GuardedChoice extends VersionChoice {
  /** Default: the caller may. */
  gate?: Gate | undefined;
}

/** What is encrypted with a key of the client is read with it. */
export interface ReadChoice extends GuardedChoice {
  customerKey?: Buffer | undefined;
}

export interface Deleted {
  key: string;
  /** Why this version was not deleted; present only if it was not. */
  failure?: ServiceError;
  /** The version that was deleted, or the delete marker that was created. */
  versionId?: string;
  /** A delete marker was created or deleted. */
  isDeleteMarker: boolean;
}

export interface ListOptions {
  prefix?: string;
  /** Keys that have it after the prefix are one entry of `prefixes` up to it. */
  delimiter?: string;
  /** Only keys (and common prefixes) after this one, in the order of their UTF-8 bytes. */
  after?: string;
  /** Entries (objects and prefixes together), 1 to 1000. */
  limit: number;
}

export interface ObjectPage {
  objects: readonly ObjectVersion[];
  prefixes: readonly string[];
  /** Pass as `after` for the next page; undefined at the end. */
  next: string | undefined;
}

export interface VersionPage {
  versions: readonly ObjectVersion[];
  prefixes: readonly string[];
  next: { key: string; versionId: string } | undefined;
}

export interface Upload extends ObjectExtras {
  uploadId: string;
  key: string;
  startedAt: Date;
  properties: ObjectProperties;
  algorithm?: ChecksumAlgorithm;
  checksumType?: "FULL_OBJECT" | "COMPOSITE";
  tier: Tier;
  encryption?: "AES256" | "customer";
}

export interface Part {
  number: number;
  size: number;
  etag: string;
  lastModified: Date;
  checksums: Checksums;
}

export interface CompletedUpload {
  uploadId: string;
  key: string;
  parts: readonly CompletedPart[];
  /**
   * Checksums of the whole object as the client knows them; other ones are reason `bad_checksum`, and one that cannot be
   * verified, because the parts have none of that algorithm, is reason `invalid_completion`.
   */
  checksums?: Checksums;
  /** The kind of checksum that the client expects; another one is reason `invalid_completion`. */
  checksumType?: "FULL_OBJECT" | "COMPOSITE";
  /** Bytes of the whole object as the client knows them; other ones are reason `invalid_completion`. */
  size?: number;
  condition?: WriteCondition;
}

export interface CompletedPart {
  number: number;
  etag: string;
  checksums?: Checksums;
}

export interface ObjectReading {
  version: ObjectVersion;
  /**
   * `range`: from `start` to before `end`. Calls nothing until it is iterated; then throws `conflict` (reason `archived`)
   * for an archived version that is not restored, and `invalid_request` (reason `customer_key_required`).
   */
  open(range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
}

/**
 * The objects of all buckets. Bytes are in the blob store, everything else in Postgres: a change is one transaction, so
 * an object is stored whole or not at all, and one that was acknowledged survives `kill -9` and loss of power. Quotas
 * (`storage_bytes`, `storage_objects` of the tenant) are checked in that transaction: `quota_exceeded`. Errors:
 * `not_found` with reason `no_such_key`, `no_such_version`, `no_such_upload` or `no_such_bucket` (deleted meanwhile);
 * `method_not_allowed` with reason `delete_marker`; `invalid_request` with the reasons of `NewBody`, `invalid_part`,
 * `invalid_part_order`, `invalid_completion`, `part_too_small`; `payload_too_large` with reason `object_too_large` (5 GiB a put or part, 5 TiB
 * an upload); `unavailable`.
 */
export interface Objects {
  put(bucket: BucketRef, object: NewObject): Promise<ObjectVersion>;
  /** The version, which may be a delete marker; undefined if the key or version does not exist. */
  find(bucket: BucketRef, choice: VersionChoice): Promise<ObjectVersion | undefined>;
  /** A wrong key of the client is `forbidden` (reason `wrong_customer_key`). */
  read(bucket: BucketRef, choice: ReadChoice): Promise<ObjectReading>;
  /**
   * Deletes up to 1,000 keys or versions in one transaction; keys that do not exist count as deleted. `condition` is
   * that of all: where one does not meet it, none is deleted. A version that is locked stays: its
   * `failure` is `forbidden` (reason `object_locked`).
   */
  delete(bucket: BucketRef, choices: readonly DeleteChoice[], condition?: WriteCondition): Promise<Deleted[]>;
  copy(from: { bucket: BucketRef; choice: ReadChoice }, to: NewCopy): Promise<ObjectVersion>;
  /**
   * Makes an archived version readable for a number of days, after a delay; of one that is readable already, the days
   * begin again. Throws `conflict` with reason `not_archived`, or `restore_in_progress` during the delay.
   */
  restore(bucket: BucketRef, choice: VersionChoice, days: number): Promise<ObjectVersion>;
  /** Replaces the tags of a version; none removes them. */
  setTags(bucket: BucketRef, choice: VersionChoice, tags: ObjectTags): Promise<ObjectVersion>;
  /**
   * Changes the retention and the legal hold of a version. Throws `forbidden` (reason `object_locked`), `invalid_request`
   * (reason `retain_until_passed`) and `conflict` (reason `no_object_lock`).
   */
  setLock(bucket: BucketRef, choice: VersionChoice, lock: LockChoice): Promise<ObjectVersion>;
  /**
   * Replaces the owner and the access list of a version by what `change` makes of it. The gate and `change` see the version
   * that is replaced, again if another call has changed its list meanwhile.
   */
  setAccess(
    bucket: BucketRef,
    choice: GuardedChoice,
    change: (version: ObjectVersion) => ObjectAccess,
  ): Promise<ObjectVersion>;
  list(bucket: BucketRef, options: ListOptions): Promise<ObjectPage>;
  /** Counts the current objects that begin with a prefix, and their bytes. */
  count(bucket: BucketRef, prefix: string): Promise<{ objects: number; bytes: number }>;
  listVersions(bucket: BucketRef, options: ListOptions & { afterVersionId?: string }): Promise<VersionPage>;

  createUpload(
    bucket: BucketRef,
    upload: Pick<NewObject, "key" | "tier" | "encryption" | "lock"> & { properties: ObjectProperties } & ObjectExtras &
      Pick<Upload, "algorithm" | "checksumType">,
  ): Promise<Upload>;
  /** `customerKey`: that which the upload was started with. */
  putPart(
    bucket: BucketRef,
    upload: { key: string; uploadId: string; number: number; body: NewBody; customerKey?: Buffer | undefined },
  ): Promise<Part>;
  copyPart(
    bucket: BucketRef,
    upload: { key: string; uploadId: string; number: number; customerKey?: Buffer | undefined },
    from: { bucket: BucketRef; choice: ReadChoice; range?: { start: number; end: number } },
  ): Promise<Part>;
  /** Repeated with the same parts within a day, it has the same result. */
  completeUpload(bucket: BucketRef, upload: CompletedUpload): Promise<ObjectVersion>;
  abortUpload(bucket: BucketRef, upload: { key: string; uploadId: string }): Promise<void>;
  findUpload(bucket: BucketRef, upload: { key: string; uploadId: string }): Promise<Upload | undefined>;
  listParts(
    bucket: BucketRef,
    upload: { key: string; uploadId: string },
    page: { after: number; limit: number },
  ): Promise<{ parts: Part[]; next: number | undefined }>;
  listUploads(
    bucket: BucketRef,
    options: ListOptions & { afterUploadId?: string },
  ): Promise<{ uploads: Upload[]; prefixes: string[]; next: { key: string; uploadId: string } | undefined }>;

  /**
   * Deletes up to `max` versions, delete markers and uploads of a bucket. `deleted` counts the versions with bytes;
   * `isEmpty`: nothing is left. Throws `forbidden` (reason `object_locked`) at a version that is locked.
   */
  empty(bucket: BucketRef, max: number): Promise<{ deleted: number; isEmpty: boolean }>;

  stop(): Promise<void>;
}
