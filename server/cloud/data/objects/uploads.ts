import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { readFigures } from "./changes.sql";
import { DEFAULT_LIMITS } from "./commit-changes";
import { encryptionFor, newSealing, uploadKeyOf } from "./encryption";
import { BEHIND, commonPrefixOf, keyRange } from "./key-range";
import { limitFailure } from "./key-turns";
import { noSuchBucket, noSuchUpload, PUT_BYTES_MAX, putTooLarge } from "./object-errors";
import { assertKey, assertProperties, isKey } from "./object-key";
import { assertLockable } from "./object-lock";
import { findReadable, readObject } from "./object-reads";
import { blobName, commitWithBlobs, type ObjectStore } from "./object-store";
import type { BucketRef, ListOptions, Objects, Part, Upload } from "./objects";
import { storeBody } from "./stored-body";
import { newPartSuffix } from "./tiers";
import { partOf } from "./upload-turns";
import { countUploads, insertUpload, readPartsAfter, readPartsOf, readUploads, readUploadsAfter } from "./uploads.sql";

type UploadCalls = Pick<
  Objects,
  | "createUpload"
  | "putPart"
  | "copyPart"
  | "completeUpload"
  | "abortUpload"
  | "findUpload"
  | "listParts"
  | "listUploads"
>;

interface UploadPlace {
  key: string;
  uploadId: string;
}

/** Of one bucket under way: a stop for clients that never complete or abort what they begin. */
const UPLOADS_MAX = 10_000;
/** S3's greatest number of a part. */
const PARTS_MAX = 10_000;
/** After every upload id, which begins with upl_, in every collation. */
const BEHIND_UPLOADS = "upm";

/** Multipart uploads. */
export const uploadsOf = (store: ObjectStore): UploadCalls => ({
  createUpload: (bucket, upload) => createUpload(store, bucket, upload),
  putPart: (bucket, part) => putPart(store, bucket, part),
  copyPart: async (bucket, { key, uploadId, number, customerKey }, from) => {
    await requireUpload(store, bucket, { key, uploadId });
    const { size } = await findReadable(store, from.bucket, from.choice);
    const range = from.range ?? { start: 0, end: size };
    if (range.end - range.start > PUT_BYTES_MAX) throw putTooLarge();
    const { version, open } = await readObject(store, from.bucket, from.choice);
    const { algorithm } = await requireUpload(store, bucket, { key, uploadId });
    const body = { stream: open({ ...range, end: Math.min(range.end, version.size) }) };
    return putPart(store, bucket, {
      key,
      uploadId,
      number,
      customerKey,
      body: { ...body, ...(algorithm && { algorithms: [algorithm] }) },
    });
  },
  completeUpload: async (bucket, upload) => {
    assertPossible(upload);
    return store.commits.commit(bucket.tenantId, { kind: "complete", bucketId: bucket.id, key: upload.key, upload });
  },
  abortUpload: async (bucket, { key, uploadId }) => {
    assertPossible({ key, uploadId });
    return store.commits.commit(bucket.tenantId, { kind: "abort", bucketId: bucket.id, key, uploadId });
  },
  findUpload: async (bucket, place) => {
    const upload = await findUpload(store, bucket, place);
    return upload && uploadOf(upload);
  },
  listParts: async (bucket, place, page) => {
    await requireUpload(store, bucket, place);
    const rows = await readPartsAfter(store.sql, place.uploadId, {
      after: Math.min(page.after, PARTS_MAX),
      limit: page.limit + 1,
    });
    const parts = rows.slice(0, page.limit).map(partOf);
    return { parts, next: rows.length > page.limit ? parts.at(-1)?.number : undefined };
  },
  listUploads: (bucket, options) => listUploads(store, bucket, options),
});

/** Other texts cannot be looked for in the database. */
const isPossible = ({ key, uploadId }: UploadPlace): boolean => isKey(key) && isKey(uploadId);

function assertPossible(place: UploadPlace): void {
  if (!isPossible(place)) throw noSuchUpload(place.uploadId);
}

async function createUpload(
  { sql, clock, rootKeys }: ObjectStore,
  bucket: BucketRef,
  asked: Parameters<Objects["createUpload"]>[1],
): Promise<Upload> {
  const { key, properties, algorithm, checksumType, tier, tags, access, encryption, lock } = asked;
  assertKey(key);
  assertProperties(properties);
  const startedAt = clock.now();
  assertLockable(bucket, lock, startedAt);
  const upload: Upload = {
    uploadId: newId("upl", startedAt.getTime()),
    key,
    startedAt,
    properties,
    tier: tier ?? bucket.tier ?? "hot",
    ...(algorithm && { algorithm }),
    ...(checksumType && { checksumType }),
    ...(tags && { tags }),
    ...(access && { access }),
  };
  const { tenantId, id: bucketId } = bucket;
  if ((await countUploads(sql, bucketId, UPLOADS_MAX)) >= UPLOADS_MAX) throw tooManyUploads();
  const sealing = newSealing(rootKeys, encryptionFor(encryption, bucket));
  const stored = { ...upload, encryption: sealing?.stored ?? null, lock };
  if (!(await insertUpload(sql, { tenantId, bucketId }, stored))) throw noSuchBucket();
  return { ...upload, ...(sealing && { encryption: sealing.stored.algorithm }) };
}

const tooManyUploads = (): ServiceError =>
  new ServiceError(
    "quota_exceeded",
    `The bucket has ${UPLOADS_MAX} multipart uploads under way; complete or abort some, or wait a day until they end.`,
    { details: { resource: "uploads", limit: UPLOADS_MAX } },
  );

async function putPart(
  store: ObjectStore,
  bucket: BucketRef,
  { key, uploadId, number, body, customerKey }: Parameters<Objects["putPart"]>[1],
): Promise<Part> {
  if (!(Number.isInteger(number) && number >= 1 && number <= PARTS_MAX)) throw invalidPartNumber();
  const { algorithm, tier, encryption } = await requireUpload(store, bucket, { key, uploadId });
  const dataKey = uploadKeyOf(store.rootKeys, encryption, customerKey);
  await assertSpace(store, bucket, { uploadId, number, size: body.size ?? 0 });
  const algorithms = [...(body.algorithms ?? []), ...(algorithm ? [algorithm] : [])];
  const suffix = newPartSuffix(tier);
  const name = blobName(bucket, `${uploadId}.${number}.${suffix}`);
  const stored = await storeBody(store.blobs, name, { ...body, algorithms, dataKey });
  const part = { number, suffix, ...stored };
  const change = { kind: "part" as const, bucketId: bucket.id, key, uploadId, part };
  return commitWithBlobs(store, { tenantId: bucket.tenantId, change, names: [name], bytes: stored.size });
}

/** Refuses before the body is read what would be refused afterwards anyway; the commit decides exactly. */
async function assertSpace(
  { sql, storedBytes }: ObjectStore,
  { tenantId }: BucketRef,
  { uploadId, number, size }: { uploadId: string; number: number; size: number },
): Promise<void> {
  await storedBytes?.assertRoom(tenantId, size);
  const { bytes, versions, bytesLimit } = await readFigures(sql, tenantId);
  const state = { limits: { ...DEFAULT_LIMITS, bytes: bytesLimit ?? DEFAULT_LIMITS.bytes }, used: { bytes, versions } };
  if (!limitFailure(state, { bytes: size, versions: 0 })) return;
  const [replaced] = await readPartsOf(sql, { whole: [], single: [[uploadId, number]] });
  const failure = limitFailure(state, { bytes: size - (replaced?.size ?? 0), versions: 0 });
  if (failure) throw failure;
}

const invalidPartNumber = (): ServiceError =>
  new ServiceError("invalid_request", `partNumber: must be an integer from 1 to ${PARTS_MAX}.`, {
    param: "partNumber",
    details: { reason: "invalid_part_number" },
  });

async function findUpload(
  { sql }: ObjectStore,
  bucket: BucketRef,
  { key, uploadId }: UploadPlace,
): Promise<StoredUpload | undefined> {
  if (!isPossible({ key, uploadId })) return undefined;
  const [row] = await readUploads(sql, [uploadId]);
  return row && row.bucketId === bucket.id && row.key === key && !row.completed ? row : undefined;
}

async function requireUpload(store: ObjectStore, bucket: BucketRef, place: UploadPlace): Promise<StoredUpload> {
  const upload = await findUpload(store, bucket, place);
  if (!upload) throw noSuchUpload(place.uploadId);
  return upload;
}

type StoredUpload = Awaited<ReturnType<typeof readUploads>>[number];

const uploadOf = ({ id, startedAt, encryption, algorithm, checksumType, ...upload }: StoredUpload): Upload => ({
  uploadId: id,
  ...(encryption && { encryption: encryption.algorithm }),
  key: upload.key,
  startedAt: new Date(startedAt),
  properties: upload.properties,
  tier: upload.tier,
  ...(algorithm && { algorithm }),
  ...(checksumType && { checksumType }),
  ...(upload.tags && { tags: upload.tags }),
  ...(upload.access && { access: upload.access }),
});

async function listUploads(
  { sql }: ObjectStore,
  bucket: BucketRef,
  options: ListOptions & { afterUploadId?: string },
): ReturnType<Objects["listUploads"]> {
  const range = keyRange(options);
  const found = { uploads: [] as Upload[], prefixes: [] as string[] };
  let last: { key: string; uploadId: string } | undefined;
  let after = {
    key: range?.after ?? "",
    uploadId: isKey(options.afterUploadId ?? "") ? (options.afterUploadId ?? "") : BEHIND_UPLOADS,
  };
  const isFull = () => found.uploads.length + found.prefixes.length >= options.limit;
  while (range) {
    const rows = await readUploadsAfter(sql, { bucketId: bucket.id, ...range, after }, options.limit + 1);
    for (const row of rows) {
      const common = commonPrefixOf(row.key, range.lower, range.delimiter);
      if (common !== undefined && common === found.prefixes.at(-1)) continue;
      if (isFull()) return { ...found, next: last };
      if (common === undefined) found.uploads.push(uploadOf(row));
      else found.prefixes.push(common);
      last = common === undefined ? { key: row.key, uploadId: row.id } : { key: common, uploadId: "" };
      after = common === undefined ? { key: row.key, uploadId: row.id } : { key: common + BEHIND, uploadId: "" };
    }
    if (rows.length <= options.limit) break;
  }
  return { ...found, next: undefined };
}
