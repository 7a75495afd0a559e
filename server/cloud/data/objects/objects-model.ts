import type { Tier } from "../../../engines/objects/blob-tiers";
import type {
  BucketState,
  Change,
  CompleteChange,
  DeleteChange,
  LockChange,
  MoveChange,
  PartChange,
  Usage,
  UsageChange,
} from "./changes";
import type { NewLock, Retention, WriteCondition } from "./objects";

interface ModelVersion {
  id: string;
  versionId: string;
  isMarker: boolean;
  size: number;
  etag: string;
  tier: Tier;
  blob: string | null;
  retention?: Retention | undefined;
  legalHold?: boolean | undefined;
}

interface ModelUpload {
  bucketId: string;
  key: string;
  parts: Map<number, number>;
  completed?: readonly number[];
}

type Buckets = ReadonlyMap<string, BucketState>;

const DAY_MS = 24 * 60 * 60_000;

/** What S3 says about versions, written as simply as possible: a list for each key, the newest version first. */
export class ObjectsModel {
  readonly #limits: Usage;
  readonly #keys = new Map<string, ModelVersion[]>();
  readonly uploads = new Map<string, ModelUpload>();
  #now = 0;

  constructor(limits: Usage) {
    this.#limits = limits;
  }

  /** "ok", or the reason why nothing changed. */
  apply(change: Change, { buckets, now }: { buckets: Buckets; now: number }): string {
    const { versioning = "off", objectLock } = buckets.get(change.bucketId) ?? {};
    this.#now = now;
    if (change.kind === "lock") return this.#lock(change, { isLockable: Boolean(objectLock) });
    if (change.kind === "put") {
      const { id, size, etag, tier, blob, lock } = change.version;
      const unmet = this.#unmet(this.#list(change.bucketId, change.key)[0], change.condition);
      if (unmet) return unmet;
      if (lock && !objectLock) return "no_object_lock";
      const version = { id, size, etag, tier, blob, isMarker: false, ...this.#newLock(lock, objectLock) };
      return this.#put(change, version, { versioning, freed: 0 });
    }
    if (change.kind === "move") return this.#move(change);
    if (change.kind === "delete") return this.#delete(change, versioning);
    if (change.kind === "part") return this.#part(change);
    if (change.kind === "complete") return this.#complete(change, versioning, this.#newLock(undefined, objectLock));
    const upload = this.uploads.get(change.uploadId);
    if (!upload || upload.completed) return "no_such_upload";
    this.uploads.delete(change.uploadId);
    return "ok";
  }

  listed(bucketId: string, key: string): unknown[][] {
    const shown = ({ id, isMarker, versionId, retention, legalHold }: ModelVersion) => [
      id,
      isMarker,
      versionId === "null",
      retention ?? null,
      legalHold ?? null,
    ];
    return this.#list(bucketId, key).map(shown);
  }

  usage(bucketId: string): UsageChange {
    const lists = [...this.#keys].filter(([place]) => place.startsWith(`${bucketId}/`)).map(([, list]) => list);
    const versions = lists.flat().filter(({ isMarker }) => !isMarker);
    const parts = [...this.uploads.values()].filter((upload) => upload.bucketId === bucketId && !upload.completed);
    const bytesIn = (tier: Tier) => sum(versions.filter((each) => each.tier === tier).map(({ size }) => size));
    return {
      warmBytes: bytesIn("warm"),
      coldBytes: bytesIn("cold"),
      archiveBytes: bytesIn("archive"),
      objects: lists.filter(([latest]) => latest && !latest.isMarker).length,
      versions: versions.length,
      bytes: sum(versions.map(({ size }) => size)) + sum(parts.flatMap((upload) => [...upload.parts.values()])),
    };
  }

  #list(bucketId: string, key: string): ModelVersion[] {
    return this.#keys.get(`${bucketId}/${key}`) ?? [];
  }

  #put(
    { bucketId, key }: { bucketId: string; key: string },
    version: Omit<ModelVersion, "versionId">,
    { versioning, freed }: { versioning: string; freed: number },
  ): string {
    const before = this.#list(bucketId, key);
    const kept = versioning === "on" ? before : before.filter(({ versionId }) => versionId !== "null");
    const added = { ...version, versionId: versioning === "on" ? version.id : "null" };
    const gone = before.filter((each) => !kept.includes(each) && !each.isMarker);
    if (!version.isMarker && gone.some((each) => this.#isLocked(each, false))) return "object_locked";
    const [bytes, count] = [version.size - freed - sum(gone.map(({ size }) => size)), 1 - gone.length];
    if (!version.isMarker) {
      const refused = this.#overLimit(bytes, count);
      if (refused) return refused;
    }
    this.#keys.set(`${bucketId}/${key}`, [added, ...kept]);
    return "ok";
  }

  #overLimit(bytes: number, count: number): string | undefined {
    const buckets = new Set([
      ...this.#keys.keys(),
      ...[...this.uploads.values()].map((upload) => `${upload.bucketId}/`),
    ]);
    const usages = [...new Set([...buckets].map((place) => place.split("/")[0] ?? ""))].map((id) => this.usage(id));
    if (bytes > 0 && sum(usages.map((each) => each.bytes)) + bytes > this.#limits.bytes) return "storage_bytes";
    if (count > 0 && sum(usages.map((each) => each.versions)) + count > this.#limits.versions) return "storage_objects";
    return undefined;
  }

  #delete({ bucketId, choices, condition }: DeleteChange, versioning: string): string {
    const find = (key: string, id: string | undefined) =>
      id === undefined ? this.#list(bucketId, key)[0] : this.#list(bucketId, key).find((each) => isNamed(each, id));
    for (const { key, versionId } of choices) {
      const found = find(key, versionId);
      if (found?.isMarker && condition?.ifMatch) return "precondition_failed";
      const unmet = this.#unmet(found, condition);
      if (unmet) return unmet;
    }
    for (const { key, versionId, markerId, bypassGovernance = false } of choices) {
      const place = `${bucketId}/${key}`;
      const list = this.#list(bucketId, key);
      const isKept = (each: ModelVersion) => this.#isLocked(each, bypassGovernance);
      if (versionId !== undefined)
        this.#keys.set(
          place,
          list.filter((each) => !isNamed(each, versionId) || isKept(each)),
        );
      else if (versioning === "off") this.#keys.set(place, list.filter(isKept));
      else if (versioning === "suspended" && list.some((each) => each.versionId === "null" && isKept(each))) continue;
      else this.#put({ bucketId, key }, { id: markerId, ...MARKER }, { versioning, freed: 0 });
    }
    return "ok";
  }

  #newLock(
    lock: NewLock | undefined,
    objectLock: BucketState["objectLock"],
  ): Pick<ModelVersion, "retention" | "legalHold"> {
    const { mode, days = 0 } = objectLock?.default_retention ?? {};
    const byDefault = mode && { mode, until: this.#now + days * DAY_MS };
    return { retention: lock?.retention ?? byDefault, legalHold: lock?.legalHold };
  }

  #isLocked({ retention, legalHold }: ModelVersion, bypasses: boolean): boolean {
    const isRetained = retention !== undefined && retention.until > this.#now;
    return legalHold === true || (isRetained && (retention.mode === "compliance" || !bypasses));
  }

  #lock({ bucketId, key, versionId, lock }: LockChange, { isLockable }: { isLockable: boolean }): string {
    if (!isLockable) return "no_object_lock";
    const list = this.#list(bucketId, key);
    const row = versionId === undefined ? list[0] : list.find((each) => isNamed(each, versionId));
    if (!row) return versionId === undefined ? "no_such_key" : "no_such_version";
    if (row.isMarker) return versionId === undefined ? "no_such_key" : "delete_marker";
    const { retention, legalHold = row.legalHold, bypassGovernance = false } = lock;
    if (retention !== undefined && retention !== null && retention.until <= this.#now) return "retain_until_passed";
    const before = row.retention;
    const isLater = retention?.mode === before?.mode && (retention?.until ?? 0) >= (before?.until ?? 0);
    const isFree = this.#now >= (before?.until ?? 0) || (before?.mode === "governance" && bypassGovernance);
    if (retention !== undefined && !isLater && !isFree) return "object_locked";
    const after = retention === undefined ? before : (retention ?? undefined);
    const changed = list.map((each) => (each === row ? { ...each, retention: after, legalHold } : each));
    this.#keys.set(`${bucketId}/${key}`, changed);
    return "ok";
  }

  /** Only a version that is still where it was is moved. */
  #move({ bucketId, key, version, from, to }: MoveChange): string {
    const isMoved = (each: ModelVersion) => each.id === version.id && each.blob === from.blob;
    const moved = this.#list(bucketId, key).map((each) =>
      isMoved(each) ? { ...each, tier: to.tier, blob: to.blob } : each,
    );
    this.#keys.set(`${bucketId}/${key}`, moved);
    return "ok";
  }

  #part({ uploadId, part }: PartChange): string {
    const upload = this.uploads.get(uploadId);
    if (!upload || upload.completed) return "no_such_upload";
    const refused = this.#overLimit(part.size - (upload.parts.get(part.number) ?? 0), 0);
    if (refused) return refused;
    upload.parts.set(part.number, part.size);
    return "ok";
  }

  #complete(
    { bucketId, key, upload: wanted }: CompleteChange,
    versioning: string,
    lock: Pick<ModelVersion, "retention" | "legalHold">,
  ): string {
    const upload = this.uploads.get(wanted.uploadId);
    const numbers = wanted.parts.map(({ number }) => number);
    if (upload?.completed && upload.completed.join() === numbers.join()) return "ok";
    if (!upload || upload.completed) return "no_such_upload";
    if (!numbers.every((number) => upload.parts.has(number))) return "invalid_part";
    const sizes = numbers.map((number) => upload.parts.get(number) ?? 0);
    if (sizes.slice(0, -1).some((size) => size < 5 * 1024 ** 2)) return "part_too_small";
    const unmet = this.#unmet(this.#list(bucketId, key)[0], wanted.condition);
    if (unmet) return unmet;
    const version = { ...MARKER, ...lock, id: wanted.uploadId, size: sum(sizes), etag: "multipart", isMarker: false };
    const result = this.#put({ bucketId, key }, version, { versioning, freed: sum([...upload.parts.values()]) });
    if (result === "ok") upload.completed = numbers;
    return result;
  }

  #unmet(current: ModelVersion | undefined, { ifMatch, ifNoneMatch }: WriteCondition = {}): string | undefined {
    const exists = current !== undefined && !current.isMarker;
    if (ifNoneMatch && exists) return "precondition_failed";
    if (ifMatch === undefined) return undefined;
    if (!exists) return "no_such_key";
    return ifMatch === "*" || ifMatch === current.etag ? undefined : "precondition_failed";
  }
}

const MARKER = { size: 0, etag: "", tier: "hot" as const, blob: null, isMarker: true };

/** A version's id ends with the end of the id of its row. */
const isNamed = (version: ModelVersion, versionId: string): boolean =>
  version.versionId === versionId || (version.versionId !== "null" && versionId.endsWith(version.versionId.slice(-20)));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
