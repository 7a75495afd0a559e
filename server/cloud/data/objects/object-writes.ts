import pLimit from "p-limit";
import { newId } from "../../../kernel/ids";
import type { NewVersion } from "./changes";
import { readFigures } from "./changes.sql";
import { startChecksum } from "./checksums";
import { DEFAULT_LIMITS } from "./commit-changes";
import { type CopyBlob, copySealing } from "./copy-sealing";
import { encryptionFor, newSealing } from "./encryption";
import { assertCondition, limitFailure } from "./key-turns";
import { PUT_BYTES_MAX, putTooLarge } from "./object-errors";
import { assertKey, assertProperties, isKey } from "./object-key";
import { assertLockable } from "./object-lock";
import { assertReadable, findReadable, readRange } from "./object-reads";
import { blobName, commitWithBlobs, type ObjectStore, removeNow } from "./object-store";
import type {
  BucketRef,
  ChecksumAlgorithm,
  DeleteChoice,
  Deleted,
  NewObject,
  Objects,
  ObjectVersion,
  WriteCondition,
} from "./objects";
import { storeBody } from "./stored-body";
import { newBlobEnd, placedIn } from "./tiers";
import { blobIdOf, blobsOf, NULL_VERSION, type VersionRow } from "./version-row";
import { readLatest } from "./versions.sql";

const COPIES_AT_ONCE = 4;

export async function putObject(store: ObjectStore, bucket: BucketRef, object: NewObject): Promise<ObjectVersion> {
  const {
    key,
    body,
    condition,
    contentType,
    headers,
    userMetadata,
    tier = bucket.tier ?? "hot",
    tags,
    access,
    lock,
  } = object;
  assertKey(key);
  assertProperties(object);
  assertLockable(bucket, lock, store.clock.now());
  await assertWritable(store, bucket, { key, size: body.size ?? 0, condition });
  const id = newId("ver", store.clock.now().getTime());
  const blob = newBlobEnd(tier);
  const name = blobName(bucket, blobIdOf({ id, blob }));
  const sealing = newSealing(store.rootKeys, encryptionFor(object.encryption, bucket));
  const stored = await storeBody(store.blobs, name, { ...body, dataKey: sealing?.dataKey });
  const version: NewVersion = {
    id,
    contentType,
    headers,
    userMetadata,
    ...stored,
    checksumType: "FULL_OBJECT",
    parts: null,
    tier,
    blob,
    tags,
    access,
    encryption: sealing?.stored ?? null,
    lock,
  };
  const change = { kind: "put" as const, bucketId: bucket.id, key, version, condition };
  return commitWithBlobs(store, { tenantId: bucket.tenantId, change, names: [name], bytes: stored.size });
}

/** Refuses before the body is read what would be refused afterwards anyway; the commit decides exactly. */
async function assertWritable(
  { sql, storedBytes }: ObjectStore,
  bucket: BucketRef,
  { key, size, condition }: { key: string; size: number; condition: WriteCondition | undefined },
): Promise<void> {
  if (condition) assertCondition({ key, current: await readLatest(sql, { bucketId: bucket.id, key }) }, condition);
  const { bytes, versions, bytesLimit, versionsLimit } = await readFigures(sql, bucket.tenantId);
  const limits = { bytes: bytesLimit ?? DEFAULT_LIMITS.bytes, versions: versionsLimit ?? DEFAULT_LIMITS.versions };
  const state = { limits, used: { bytes, versions } };
  await storedBytes?.assertRoom(bucket.tenantId, size);
  if (!limitFailure(state, { bytes: size, versions: 1 })) return;
  const latest = bucket.versioning === "on" ? undefined : await readLatest(sql, { bucketId: bucket.id, key });
  const isReplaced = latest?.versionId === NULL_VERSION && !latest.isDeleteMarker;
  const failure = limitFailure(state, { bytes: size - (isReplaced ? latest.size : 0), versions: isReplaced ? 0 : 1 });
  if (failure) throw failure;
}

export async function copyObject(
  store: ObjectStore,
  ...[from, to]: Parameters<Objects["copy"]>
): Promise<ObjectVersion> {
  assertKey(to.key);
  const row = await findReadable(store, from.bucket, from.choice);
  assertReadable(row, store.clock.now());
  if (row.size > PUT_BYTES_MAX) throw putTooLarge();
  const properties = to.properties ?? row;
  assertProperties(properties);
  assertLockable(to.bucket, to.lock, store.clock.now());
  await assertWritable(store, to.bucket, { key: to.key, size: row.size, condition: to.condition });
  const id = newId("ver", store.clock.now().getTime());
  const { contentType, headers, userMetadata } = properties;
  const { size, etag } = row;
  const { customerKey } = from.choice;
  const sealing = copySealing(store, row, { customerKey, asked: encryptionFor(to.encryption, to.bucket) });
  const { checksums, checksumType } = await checksumsOf(store, row, { algorithm: to.algorithm, customerKey });
  const placement = placedIn(to.tier ?? to.bucket.tier ?? "hot", row);
  const tags = to.tags ?? row.tags;
  const { encryption } = sealing;
  const described = { id, contentType, headers, userMetadata, size, etag, checksums, checksumType };
  const version = { ...described, tags, access: to.access, encryption, ...placement, lock: to.lock };
  const target = { ...version, tenantId: to.bucket.tenantId, bucketId: to.bucket.id, isDeleteMarker: false };
  const names = await copyBlobs({ ...store, copy: sealing.copy }, blobsOf(row), blobsOf(target));
  const change = { kind: "put" as const, bucketId: to.bucket.id, key: to.key, version, condition: to.condition };
  return commitWithBlobs(store, { tenantId: to.bucket.tenantId, change, names });
}

/** The checksums of a copy: those of its source unless another one is asked for, which reads the source. */
async function checksumsOf(
  store: ObjectStore,
  row: VersionRow,
  { algorithm, customerKey }: { algorithm: ChecksumAlgorithm | undefined; customerKey: Buffer | undefined },
): Promise<Pick<VersionRow, "checksums" | "checksumType">> {
  if (!algorithm || row.checksums[algorithm] !== undefined) return row;
  const checksum = startChecksum(algorithm);
  for await (const chunk of readRange(store, row, { start: 0, end: row.size, customerKey })) checksum.update(chunk);
  return { checksums: { [algorithm]: await checksum.digest() }, checksumType: "FULL_OBJECT" };
}

/** Copies blobs whose names differ, and returns the names of the copies; of a copy that fails nothing stays. */
export async function copyBlobs(
  { blobs, readings, log, copy }: Pick<ObjectStore, "blobs" | "readings" | "log"> & { copy?: CopyBlob | undefined },
  sources: ReturnType<typeof blobsOf>,
  targets: ReturnType<typeof blobsOf>,
): Promise<string[]> {
  const pairs = sources.flatMap((from, i) => {
    const to = targets[i]?.name ?? "";
    return from.name === to ? [] : [{ from, to }];
  });
  const copyOne = copy ?? (({ name, size }, to) => blobs.copy(name, to, size));
  const names = pairs.map(({ to }) => to);
  const turn = pLimit(COPIES_AT_ONCE);
  const copyAll = async function* () {
    yield await Promise.allSettled(pairs.map(({ from, to }) => turn(() => copyOne(from, to))));
  };
  const kept = readings.keep(
    pairs.map(({ from }) => from.name),
    copyAll,
  );
  for await (const results of kept) {
    const failed = results.find((result) => result.status === "rejected");
    if (!failed) continue;
    await removeNow(blobs, names, log);
    throw failed.reason;
  }
  return names;
}

/** Keys that cannot exist count as deleted. */
export async function deleteObjects(
  { commits, clock }: ObjectStore,
  bucket: BucketRef,
  { choices, condition }: { choices: readonly DeleteChoice[]; condition: WriteCondition | undefined },
): Promise<Deleted[]> {
  const now = clock.now().getTime();
  const possible = choices.filter(({ key }) => isKey(key));
  const marked = possible.map((choice) => ({ ...choice, markerId: newId("ver", now) }));
  const change = { kind: "delete" as const, bucketId: bucket.id, choices: marked, condition };
  const deleted = possible.length === 0 ? [] : await commits.commit(bucket.tenantId, change);
  const results = deleted.values();
  return choices.map((choice): Deleted => {
    const result = isKey(choice.key) ? results.next().value : undefined;
    return result ?? { key: choice.key, isDeleteMarker: false };
  });
}
