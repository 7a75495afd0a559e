import { quotaExceeded } from "../../../identity/quotas/quota";
import type { ServiceError } from "../../../kernel/errors";
import type {
  DeleteChange,
  DeletedChoice,
  LockChange,
  MoveChange,
  NewVersion,
  ObjectsState,
  Usage,
  UsageChange,
} from "./changes";
import { KeyVersions } from "./key-versions";
import {
  isDeleted,
  isMarker,
  noObjectLock,
  noSuchBucket,
  noSuchKey,
  noSuchVersion,
  preconditionFailed,
} from "./object-errors";
import { assertNotLocked, changedLock, failureOf, lockOfNew } from "./object-lock";
import type { Deleted, WriteCondition } from "./objects";
import { OBJECT_QUOTAS } from "./objects.quotas";
import type { Placement } from "./tiers";
import { addUsage, NO_USAGE } from "./usage-change";
import { blobsOf, NULL_VERSION, type VersionRow } from "./version-row";

/** The versions of all keys of a batch and the usage, while its changes are applied in order. */
export class KeyTurns {
  readonly state: ObjectsState;
  readonly usage = new Map<string, UsageChange>();
  readonly removedBlobs: string[] = [];
  readonly #used: Usage;
  readonly #keys = new Map<string, KeyVersions>();
  readonly #placed = new Map<string, VersionRow>();
  readonly #locked = new Map<string, VersionRow>();

  constructor(state: ObjectsState) {
    this.state = state;
    this.#used = { ...state.used };
    const rows = new Map<string, VersionRow[]>();
    for (const row of state.versions) {
      const place = placeOf(row.bucketId, row.key);
      const others = rows.get(place);
      if (others) others.push(row);
      else rows.set(place, [row]);
    }
    for (const [place, of] of rows) this.#keys.set(place, new KeyVersions(of));
  }

  get keys(): Iterable<KeyVersions> {
    return this.#keys.values();
  }

  get placedVersions(): readonly VersionRow[] {
    return [...this.#placed.values()];
  }

  get lockedVersions(): readonly VersionRow[] {
    return [...this.#locked.values()];
  }

  versions(bucketId: string, key: string): KeyVersions {
    const place = placeOf(bucketId, key);
    const known = this.#keys.get(place) ?? new KeyVersions([]);
    this.#keys.set(place, known);
    return known;
  }

  /** The settings of a bucket that takes new objects; throws `noSuchBucket`. */
  openBucket(bucketId: string) {
    const bucket = this.state.buckets.get(bucketId);
    if (!bucket || bucket.isDeleting) throw noSuchBucket();
    return bucket;
  }

  /**
   * Adds a version as the latest; `freed`: bytes that this change frees elsewhere. Throws `quota_exceeded`,
   * `no_object_lock`, and `object_locked` where it would replace a locked version.
   */
  put({ bucketId, key }: { bucketId: string; key: string }, { lock, ...version }: NewVersion, freed = 0): VersionRow {
    const { now } = this.state;
    const { versioning, objectLock } = this.openBucket(bucketId);
    const locked = lockOfNew(lock, { objectLock, now });
    const versions = this.versions(bucketId, key);
    const hasId = versioning === "on";
    const replaced = hasId ? undefined : versions.find(NULL_VERSION);
    assertNotLocked(replaced, { now });
    const gone = replaced && !replaced.isDeleteMarker ? replaced : undefined;
    const failure = this.overLimit({
      bytes: version.size - freed - (gone?.size ?? 0),
      versions: gone ? 0 : 1,
    });
    if (failure) throw failure;
    const added = { ...version, ...locked, tenantId: this.state.tenantId, bucketId, key, isDeleteMarker: false };
    return this.#add(versions, added, hasId);
  }

  /** Deletes one key or version as S3 does; says why not if it does not meet its own condition, or is locked. */
  delete(bucketId: string, choice: DeletedChoice): Deleted {
    const { key, versionId, onlyIf, condition } = choice;
    const versions = this.versions(bucketId, key);
    const failure = failureOf(() => {
      if (condition) this.#assertMeets(bucketId, choice, condition);
      const { bypassGovernance: bypass } = choice;
      assertNotLocked(this.#removedBy(bucketId, choice), { now: this.state.now, bypass });
    });
    if (failure) return { key, ...(versionId !== undefined && { versionId }), isDeleteMarker: false, failure };
    if (onlyIf && versions.row(onlyIf.id)?.isLatest !== onlyIf.isLatest) return { key, isDeleteMarker: false };
    if (versionId !== undefined) return this.#deleteVersion(versions, key, versionId);
    const versioning = this.state.buckets.get(bucketId)?.versioning ?? "off";
    if (versioning !== "off") {
      const marker = { ...markerOf(choice.markerId), tenantId: this.state.tenantId, bucketId, key };
      const { versionId: created } = this.#add(versions, marker, versioning === "on");
      return { key, versionId: created, isDeleteMarker: true };
    }
    if (versions.latest) this.#remove(versions, versions.latest);
    return { key, isDeleteMarker: false };
  }

  /** Gives the blobs of a version their new places; false if it is gone, or was moved by another process. */
  move({ bucketId, key, version, from, to }: MoveChange): boolean {
    const versions = this.versions(bucketId, key);
    const row = versions.row(version.id);
    if (!row || !isAt(row, from)) return false;
    const moved = { ...row, ...to };
    this.#counted(bucketId, versions, () => versions.replace(moved));
    this.#placed.set(row.id, moved);
    const kept = new Set(blobsOf(moved).map(({ name }) => name));
    for (const { name } of blobsOf(row)) if (!kept.has(name)) this.removedBlobs.push(name);
    return true;
  }

  /** Changes the lock of a version. Throws why that is not possible. */
  lock({ bucketId, key, versionId, lock }: LockChange): VersionRow {
    if (!this.openBucket(bucketId).objectLock) throw noObjectLock();
    const versions = this.versions(bucketId, key);
    const row = versionId === undefined ? versions.latest : versions.find(versionId);
    if (!row) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId);
    if (row.isDeleteMarker)
      throw versionId === undefined ? isDeleted(key, row.versionId) : isMarker(key, row.versionId);
    const locked = { ...row, ...changedLock(row, lock, this.state.now) };
    versions.replace(locked);
    this.#locked.set(row.id, locked);
    return locked;
  }

  /** Throws `precondition_failed` if one of the choices does not meet the condition. */
  assertDeletable({ bucketId, choices, condition }: DeleteChange): void {
    if (condition) for (const choice of choices) this.#assertMeets(bucketId, choice, condition);
  }

  /** The stored version that a deletion removes, not counting a delete marker that it adds. */
  #removedBy(bucketId: string, { key, versionId }: DeletedChoice): VersionRow | undefined {
    const versions = this.versions(bucketId, key);
    if (versionId !== undefined) return versions.find(versionId);
    const versioning = this.state.buckets.get(bucketId)?.versioning ?? "off";
    if (versioning === "on") return undefined;
    return versioning === "off" ? versions.latest : versions.find(NULL_VERSION);
  }

  #assertMeets(bucketId: string, { key, versionId }: DeletedChoice, condition: WriteCondition): void {
    const versions = this.versions(bucketId, key);
    const row = versionId === undefined ? versions.latest : versions.find(versionId);
    if (row?.isDeleteMarker && condition.ifMatch !== undefined) throw preconditionFailed("If-Match");
    assertCondition({ key, current: row }, condition);
  }

  /** The error if the tenant would then use more than its limits. */
  overLimit(adding: Usage): ServiceError | undefined {
    return limitFailure({ limits: this.state.limits, used: this.#used }, adding);
  }

  /** Changes the usage figures; those of a bucket that does not exist any more count nowhere. */
  count(bucketId: string, change: Partial<UsageChange>): void {
    if (!this.state.buckets.has(bucketId)) return;
    this.usage.set(bucketId, addUsage(this.usage.get(bucketId) ?? NO_USAGE, change));
    this.#used.bytes += change.bytes ?? 0;
    this.#used.versions += change.versions ?? 0;
  }

  #deleteVersion(versions: KeyVersions, key: string, versionId: string): Deleted {
    const row = versions.find(versionId);
    if (row) this.#remove(versions, row);
    return { key, versionId, isDeleteMarker: row?.isDeleteMarker ?? false };
  }

  #add(versions: KeyVersions, added: Parameters<KeyVersions["add"]>[0], hasId: boolean): VersionRow {
    return this.#counted(added.bucketId, versions, () => {
      const { row, replaced } = versions.add(added, { at: this.state.now, hasId });
      if (replaced) this.#removeBlobs(replaced);
      return row;
    });
  }

  #remove(versions: KeyVersions, row: VersionRow): void {
    this.#counted(row.bucketId, versions, () => versions.remove(row));
    this.#removeBlobs(row);
  }

  #removeBlobs(row: VersionRow): void {
    for (const { name } of blobsOf(row)) this.removedBlobs.push(name);
  }

  #counted<T>(bucketId: string, versions: KeyVersions, change: () => T): T {
    const before = versions.usage();
    const result = change();
    this.count(bucketId, addUsage(versions.usage(), before, -1));
    return result;
  }
}

/** The error if a tenant would then use more than its limits; a change that frees space is always possible. */
export function limitFailure(
  { limits, used }: { limits: Usage; used: Usage },
  adding: Usage,
): ServiceError | undefined {
  const { storage_bytes, storage_objects } = OBJECT_QUOTAS;
  if (adding.bytes > 0 && used.bytes + adding.bytes > limits.bytes) {
    return quotaExceeded(storage_bytes, limits.bytes, adding.bytes);
  }
  if (adding.versions > 0 && used.versions + adding.versions > limits.versions) {
    return quotaExceeded(storage_objects, limits.versions, adding.versions);
  }
  return undefined;
}

/** Throws `precondition_failed` and `no_such_key`. A delete marker counts as no object. */
export function assertCondition(
  { key, current }: { key: string; current: VersionRow | undefined },
  { ifMatch, ifNoneMatch, ifSize, ifModifiedAt }: WriteCondition = {},
): void {
  const existing = current?.isDeleteMarker ? undefined : current;
  if (ifNoneMatch !== undefined && existing) throw preconditionFailed("If-None-Match");
  if (ifMatch !== undefined && !existing) throw noSuchKey(key);
  if (!existing) return;
  if (ifMatch !== undefined && ifMatch !== "*" && ifMatch !== existing.etag) throw preconditionFailed("If-Match");
  if (ifSize !== undefined && ifSize !== existing.size) throw preconditionFailed("its size");
  if (ifModifiedAt !== undefined && ifModifiedAt !== Math.floor(existing.lastModified / 1000)) {
    throw preconditionFailed("its time");
  }
}

const isAt = (row: VersionRow, from: Placement): boolean =>
  row.blob === from.blob && JSON.stringify(row.parts) === JSON.stringify(from.parts);

/** No key contains a NUL. */
const placeOf = (bucketId: string, key: string): string => `${bucketId}\0${key}`;

const markerOf = (id: string) => ({
  id,
  isDeleteMarker: true,
  size: 0,
  etag: "",
  contentType: "",
  headers: {},
  userMetadata: {},
  checksums: {},
  checksumType: "FULL_OBJECT" as const,
  tier: "hot" as const,
  blob: null,
  parts: null,
  encryption: null,
});
