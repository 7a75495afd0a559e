import type { BlobRange } from "../../../engines/objects/blob-store";
import { openContent } from "../../../engines/objects/sealed-content";
import { dataKeyOf } from "./encryption";
import { isArchived, isDeleted, isMarker, noSuchKey, noSuchVersion } from "./object-errors";
import { isKey } from "./object-key";
import type { ObjectStore } from "./object-store";
import type { BucketRef, GuardedChoice, ObjectReading, ReadChoice, VersionChoice } from "./objects";
import { isReadable } from "./tiers";
import { blobsOf, NULL_VERSION, rankOf, type VersionRow, versionOf } from "./version-row";
import { readLatest, readRanked, readUnnamed } from "./versions.sql";

export async function findRow(
  { sql }: Pick<ObjectStore, "sql">,
  bucket: Pick<BucketRef, "id">,
  { key, versionId }: VersionChoice,
): Promise<VersionRow | undefined> {
  if (!isKey(key)) return undefined;
  const place = { bucketId: bucket.id, key };
  if (versionId === undefined) return readLatest(sql, place);
  if (versionId === NULL_VERSION) {
    const latest = await readLatest(sql, place);
    return latest?.versionId === NULL_VERSION ? latest : readUnnamed(sql, place);
  }
  const rank = rankOf(versionId);
  const row = rank === undefined ? undefined : await readRanked(sql, place, rank);
  return row?.versionId === versionId ? row : undefined;
}

/** A version with content that the gate lets pass; throws why there is none. */
export async function findReadable(
  store: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  choice: GuardedChoice,
): Promise<VersionRow> {
  const { key, versionId, gate } = choice;
  const row = await findRow(store, bucket, choice);
  gate?.(row && !row.isDeleteMarker ? versionOf(row) : undefined);
  if (!row) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId);
  if (!row.isDeleteMarker) return row;
  throw versionId === undefined ? isDeleted(key, row.versionId) : isMarker(key, row.versionId);
}

export async function readObject(store: ObjectStore, bucket: BucketRef, choice: ReadChoice): Promise<ObjectReading> {
  const row = await findReadable(store, bucket, choice);
  const { customerKey } = choice;
  // Without a key, the caller may want to know no more than that the version exists.
  if (customerKey) dataKeyOf(store.rootKeys, row.encryption, customerKey);
  const open: ObjectReading["open"] = ({ start, end } = { start: 0, end: row.size }) =>
    readRange(store, row, { start, end, customerKey });
  return { version: versionOf(row), open };
}

/** The bytes of a range, from one blob after the other. */
export function readRange(
  { blobs, readings, clock, rootKeys }: ObjectStore,
  row: VersionRow,
  { customerKey, ...range }: BlobRange & Pick<ReadChoice, "customerKey">,
): AsyncIterable<Uint8Array> {
  const stored = (name: string, size: number) => (piece: BlobRange) => blobs.read(name, { size, range: piece });
  const wanted = piecesOf(blobsOf(row), range);
  return readings.keep(
    wanted.map(({ name }) => name),
    async function* () {
      assertReadable(row, clock.now());
      const dataKey = dataKeyOf(rootKeys, row.encryption, customerKey);
      for (const { name, size, content, piece } of wanted) {
        if (dataKey) yield* openContent({ name, size: content, dataKey, read: stored(name, size) }, piece);
        else yield* blobs.read(name, piece.end - piece.start === size ? { size } : { size, range: piece });
      }
    },
  );
}

/** Throws `conflict` (reason `archived`). */
export function assertReadable(row: VersionRow, now: Date): void {
  if (!isReadable(row, now.getTime())) throw isArchived(row.key);
}

/** Which ranges of which blobs are the bytes from `start` to before `end`. */
export function piecesOf(blobs: ReturnType<typeof blobsOf>, { start, end }: BlobRange) {
  let offset = 0;
  return blobs.flatMap(({ name, size, content }) => {
    const piece = { start: Math.max(0, start - offset), end: Math.min(content, end - offset) };
    offset += content;
    return piece.start < piece.end ? [{ name, size, content, piece }] : [];
  });
}
