import type {
  AbortChange,
  CompleteChange,
  CompletedResult,
  ObjectsState,
  PartChange,
  PartRow,
  UploadRow,
} from "./changes";
import { assembled, chosenParts, sizeOf } from "./completed-parts";
import { assertCondition, type KeyTurns } from "./key-turns";
import { noSuchUpload } from "./object-errors";
import type { CompletedPart, ObjectVersion, Part } from "./objects";
import { versionOf } from "./version-row";

interface UploadTurn {
  row: UploadRow;
  parts: Map<number, PartRow>;
}

/** The uploads of a batch and their parts, while its changes are applied in order. */
export class UploadTurns {
  readonly #state: ObjectsState;
  readonly #keys: KeyTurns;
  readonly #uploads = new Map<string, UploadTurn>();
  readonly #newParts = new Map<string, PartRow>();
  readonly #completed = new Map<string, CompletedResult>();
  readonly #removed: string[] = [];

  constructor(state: ObjectsState, keys: KeyTurns) {
    this.#state = state;
    this.#keys = keys;
    for (const row of state.uploads) this.#uploads.set(row.id, { row, parts: new Map() });
    for (const part of state.parts) this.#uploads.get(part.uploadId)?.parts.set(part.number, part);
  }

  /** Stores a part, which replaces the one with its number. */
  store({ bucketId, key, uploadId, part }: PartChange): Part {
    this.#keys.openBucket(bucketId);
    const upload = this.#underWay(bucketId, key, uploadId);
    const replaced = upload.parts.get(part.number);
    const bytes = part.size - (replaced?.size ?? 0);
    const failure = this.#keys.overLimit({ bytes, versions: 0 });
    if (failure) throw failure;
    const row = { ...part, uploadId, lastModified: this.#state.now };
    upload.parts.set(part.number, row);
    this.#newParts.set(`${uploadId}.${part.number}`, row);
    this.#keys.count(bucketId, { bytes });
    if (replaced) this.#removeBlobs(upload.row, [replaced]);
    return partOf(row);
  }

  complete({ bucketId, key, upload: wanted }: CompleteChange): ObjectVersion {
    const { uploadId, parts, condition } = wanted;
    const upload = this.#uploads.get(uploadId);
    if (upload?.row.completed && isSame(upload.row, { bucketId, key }) && isRepeated(upload.row.completed, parts)) {
      return versionOf(upload.row.completed.version);
    }
    const { row, parts: stored } = this.#underWay(bucketId, key, uploadId);
    const chosen = chosenParts(parts, stored);
    const whole = assembled(row, chosen, wanted);
    assertCondition({ key, current: this.#keys.versions(bucketId, key).latest }, condition);
    const all = [...stored.values()];
    const { tier, tags, access, encryption } = row;
    const lock = row.lock ?? undefined;
    const added = { id: uploadId, ...row.properties, ...whole, tier, blob: null, tags, access, encryption, lock };
    const version = this.#keys.put({ bucketId, key }, added, sizeOf(all));
    this.#free(row, all, new Set(chosen));
    const completed = { parts: chosen.map(({ number, etag }) => [number, etag] as const), version };
    this.#uploads.set(uploadId, { row: { ...row, completed }, parts: new Map() });
    this.#completed.set(uploadId, completed);
    return versionOf(version);
  }

  abort({ bucketId, key, uploadId }: AbortChange): undefined {
    const { row, parts } = this.#underWay(bucketId, key, uploadId);
    this.#free(row, [...parts.values()], new Set());
    this.#uploads.delete(uploadId);
    this.#removed.push(uploadId);
  }

  differences() {
    const isKept = ({ uploadId, number }: PartRow) => this.#uploads.get(uploadId)?.parts.has(number) === true;
    return {
      newParts: [...this.#newParts.values()].filter(isKept),
      completedUploads: this.#completed,
      removedUploads: this.#removed,
    };
  }

  #underWay(bucketId: string, key: string, uploadId: string): UploadTurn {
    const upload = this.#uploads.get(uploadId);
    if (!upload || upload.row.completed || !isSame(upload.row, { bucketId, key })) throw noSuchUpload(uploadId);
    return upload;
  }

  /** The parts no longer count as parts; the blobs of those that are not kept are removed. */
  #free(upload: UploadRow, parts: readonly PartRow[], kept: ReadonlySet<PartRow>): void {
    this.#keys.count(upload.bucketId, { bytes: -sizeOf(parts) });
    this.#removeBlobs(
      upload,
      parts.filter((part) => !kept.has(part)),
    );
  }

  #removeBlobs({ id, bucketId }: UploadRow, parts: readonly PartRow[]): void {
    for (const { number, suffix } of parts) {
      this.#keys.removedBlobs.push(`${this.#state.tenantId}/${bucketId}/${id}.${number}.${suffix}`);
    }
  }
}

export const partOf = ({ number, size, etag, checksums, lastModified }: PartRow): Part => ({
  number,
  size,
  etag,
  checksums,
  lastModified: new Date(lastModified),
});

const isSame = (row: UploadRow, { bucketId, key }: { bucketId: string; key: string }): boolean =>
  row.bucketId === bucketId && row.key === key;

function isRepeated({ parts }: CompletedResult, wanted: readonly CompletedPart[]): boolean {
  const isEqual = ([number, etag]: readonly [number, string], index: number) =>
    wanted[index]?.number === number && wanted[index]?.etag === etag;
  return parts.length === wanted.length && parts.every(isEqual);
}
