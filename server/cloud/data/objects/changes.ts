import type { ServiceError } from "../../../kernel/errors";
import type { StoredEncryption } from "./encryption";
import type {
  BucketLock,
  BucketRef,
  Checksums,
  CompletedUpload,
  Deleted,
  LockChoice,
  NewLock,
  ObjectVersion,
  Part,
  Upload,
  WriteCondition,
} from "./objects";
import type { Placement } from "./tiers";
import type { VersionRow } from "./version-row";

/** A version whose bytes are in the blob store; what the order of changes decides about it is left out. */
export type NewVersion = Pick<
  VersionRow,
  | "id"
  | "size"
  | "etag"
  | "contentType"
  | "headers"
  | "userMetadata"
  | "checksums"
  | "checksumType"
  | "tags"
  | "access"
  | "encryption"
> &
  Placement & { lock?: NewLock | undefined };

interface Place {
  bucketId: string;
  key: string;
}

export interface PutChange extends Place {
  kind: "put";
  version: NewVersion;
  condition?: WriteCondition | undefined;
}

export interface DeletedChoice {
  key: string;
  versionId?: string | undefined;
  /** The id of the delete marker, if there will be one. */
  markerId: string;
  condition?: WriteCondition | undefined;
  /** A retention in governance mode does not keep it. */
  bypassGovernance?: boolean | undefined;
  /** Only if this version still exists and is, or is not, the latest of its key. */
  onlyIf?: { id: string; isLatest: boolean } | undefined;
}

export interface DeleteChange {
  kind: "delete";
  bucketId: string;
  choices: readonly DeletedChoice[];
  condition?: WriteCondition | undefined;
}

export interface PartChange extends Place {
  kind: "part";
  uploadId: string;
  part: Omit<PartRow, "uploadId" | "lastModified">;
}

export interface CompleteChange extends Place {
  kind: "complete";
  upload: CompletedUpload;
}

export interface AbortChange extends Place {
  kind: "abort";
  uploadId: string;
}

/** The blobs of a version were copied to other places; nothing changes if it is no longer where they were. */
export interface MoveChange extends Place {
  kind: "move";
  version: Pick<VersionRow, "id" | "versionId">;
  from: Placement;
  to: Placement;
}

/** Changes the retention and the legal hold of a version; default: the latest. */
export interface LockChange extends Place {
  kind: "lock";
  versionId?: string | undefined;
  lock: LockChoice;
}

export type Change = PutChange | DeleteChange | PartChange | CompleteChange | AbortChange | MoveChange | LockChange;

interface Values {
  put: ObjectVersion;
  delete: Deleted[];
  part: Part;
  complete: ObjectVersion;
  abort: undefined;
  /** Whether it was moved. */
  move: boolean;
  lock: ObjectVersion;
}
export type Value<C extends Change> = Values[C["kind"]];
export type Outcome = { value: Values[Change["kind"]] } | { failure: ServiceError };

/** A row of `object_parts`. Its blob is `<tenant>/<bucket>/<upload id>.<number>.<suffix>`. */
export interface PartRow {
  uploadId: string;
  number: number;
  suffix: string;
  size: number;
  etag: string;
  checksums: Checksums;
  /** Milliseconds since 1970. */
  lastModified: number;
}

/** A row of `object_uploads`. */
export interface UploadRow {
  id: string;
  bucketId: string;
  key: string;
  properties: Upload["properties"];
  algorithm: Upload["algorithm"];
  checksumType: Upload["checksumType"];
  tier: Upload["tier"];
  tags?: Upload["tags"] | null;
  access?: Upload["access"] | null;
  /** The version as JSON and the ETags of its parts, once it is complete. */
  completed: CompletedResult | null;
  encryption: StoredEncryption | null;
  lock?: NewLock | null | undefined;
}

export interface CompletedResult {
  parts: readonly (readonly [number: number, etag: string])[];
  version: VersionRow;
}

/** A bucket, as the changes of its objects depend on it. */
export interface BucketState extends Pick<BucketRef, "versioning"> {
  isDeleting: boolean;
  /** Absent or null: its versions can not be locked. */
  objectLock?: BucketLock | null;
}

/** What a batch of changes depends on, as stored. */
export interface ObjectsState {
  tenantId: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Of the tenant. */
  limits: Usage;
  used: Usage;
  /** Buckets that exist. */
  buckets: ReadonlyMap<string, BucketState>;
  /** Of each key the newest versions, one more than there are changes of it, and every version that a change names. */
  versions: readonly VersionRow[];
  uploads: readonly UploadRow[];
  /** Of completed and aborted uploads all, otherwise those that are replaced. */
  parts: readonly PartRow[];
}

export interface Usage {
  bytes: number;
  /** Versions with bytes. */
  versions: number;
}

export interface UsageChange extends Usage {
  objects: number;
  /** Bytes of versions in these classes, which `bytes` contains; the others are hot. */
  warmBytes: number;
  coldBytes: number;
  archiveBytes: number;
}

/** What a batch of changes writes. */
export interface Decision {
  /** One per change, in order. */
  outcomes: readonly Outcome[];
  /** Ids. */
  removedVersions: readonly string[];
  /** Stored versions that are or are no longer the latest. */
  movedVersions: readonly VersionRow[];
  newVersions: readonly VersionRow[];
  /** Stored versions whose blobs are in other places. */
  placedVersions: readonly VersionRow[];
  /** Stored versions with another retention or legal hold. */
  lockedVersions: readonly VersionRow[];
  newParts: readonly PartRow[];
  completedUploads: ReadonlyMap<string, CompletedResult>;
  removedUploads: readonly string[];
  removedBlobs: readonly string[];
  usage: ReadonlyMap<string, UsageChange>;
}
