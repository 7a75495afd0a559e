import type { Tier } from "../../../engines/objects/blob-tiers";
import type { Change, CompleteChange, DeleteChange, MoveChange, PartChange, Usage, UsageChange } from "./changes";
import type { WriteCondition } from "./objects";

interface ModelVersion {
  id: string;
  versionId: string;
  isMarker: boolean;
  size: number;
  etag: string;
  tier: Tier;
  blob: string | null;
}

interface ModelUpload {
  bucketId: string;
  key: string;
  parts: Map<number, number>;
  completed?: readonly number[];
}

type Buckets = ReadonlyMap<string, { versioning: "off" | "on" | "suspended" }>;

/** What S3 says about versions, written as simply as possible: a list for each key, the newest version first. */
export class ObjectsModel {
  readonly #limits: Usage;
  readonly #keys = new Map<string, ModelVersion[]>();
  readonly uploads = new Map<string, ModelUpload>();

  constructor(limits: Usage) {
    this.#limits = limits;
  }

  /** "ok", or the reason why nothing changed. */
  apply(change: Change, buckets: Buckets): string {
    const versioning = buckets.get(change.bucketId)?.versioning ?? "off";
    if (change.kind === "put") {
      const { id, size, etag, tier, blob } = change.version;
      const unmet = this.#unmet(this.#list(change.bucketId, change.key)[0], change.condition);
      if (unmet) return unmet;
      return this.#put(change, { id, size, etag, tier, blob, isMarker: false }, { versioning, freed: 0 });
    }
    if (change.kind === "move") return this.#move(change);
    if (change.kind === "delete") return this.#delete(change, versioning);
    if (change.kind === "part") return this.#part(change);
    if (change.kind === "complete") return this.#complete(change, versioning);
    const upload = this.uploads.get(change.uploadId);
    if (!upload || upload.completed) return "no_such_upload";
    this.uploads.delete(change.uploadId);
    return "ok";
  }

  listed(bucketId: string, key: string): [string, boolean, boolean][] {
    return this.#list(bucketId, key).map(({ id, isMarker, versionId }) => [id, isMarker, versionId === "null"]);
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
    for (const { key, versionId, markerId } of choices) {
      const place = `${bucketId}/${key}`;
      const list = this.#list(bucketId, key);
      if (versionId !== undefined)
        this.#keys.set(
          place,
          list.filter((each) => !isNamed(each, versionId)),
        );
      else if (versioning === "off") this.#keys.set(place, []);
      else this.#put({ bucketId, key }, { id: markerId, ...MARKER }, { versioning, freed: 0 });
    }
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

  #complete({ bucketId, key, upload: wanted }: CompleteChange, versioning: string): string {
    const upload = this.uploads.get(wanted.uploadId);
    const numbers = wanted.parts.map(({ number }) => number);
    if (upload?.completed && upload.completed.join() === numbers.join()) return "ok";
    if (!upload || upload.completed) return "no_such_upload";
    if (!numbers.every((number) => upload.parts.has(number))) return "invalid_part";
    const sizes = numbers.map((number) => upload.parts.get(number) ?? 0);
    if (sizes.slice(0, -1).some((size) => size < 5 * 1024 ** 2)) return "part_too_small";
    const unmet = this.#unmet(this.#list(bucketId, key)[0], wanted.condition);
    if (unmet) return unmet;
    const version = { ...MARKER, id: wanted.uploadId, size: sum(sizes), etag: "multipart", isMarker: false };
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
