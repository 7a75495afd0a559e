import type { Tier } from "../../../engines/objects/blob-tiers";
import { type StoredEncryption, storedSizeOf } from "./encryption";
import type { ObjectAccess } from "./object-access";
import type { Checksums, Lockable, ObjectTags, ObjectVersion } from "./objects";

/**
 * A part of a stored version: its number, the suffix of its blob, its bytes, and where the object has a checksum, that
 * of the part with the same algorithm.
 */
export type PartEntry = readonly [number: number, suffix: string, size: number, checksum?: string];

/** A row of `object_versions`. */
export interface VersionRow extends Lockable {
  id: string;
  tenantId: string;
  bucketId: string;
  key: string;
  /** The newest version of a key has the lowest. */
  rank: number;
  versionId: string;
  isLatest: boolean;
  isDeleteMarker: boolean;
  size: number;
  etag: string;
  /** Milliseconds since 1970, like `noncurrentSince`. */
  lastModified: number;
  noncurrentSince: number | null;
  contentType: string;
  headers: Readonly<Record<string, string>>;
  userMetadata: Readonly<Record<string, string>>;
  checksums: Checksums;
  checksumType: "FULL_OBJECT" | "COMPOSITE";
  parts: readonly PartEntry[] | null;
  tier: Tier;
  /** The end of the name of its blob; null: the name is the id. */
  blob: string | null;
  /** From when to when an archived version that was restored can be read, in milliseconds since 1970. */
  restoreAt: number | null;
  restoreUntil: number | null;
  tags?: ObjectTags | null | undefined;
  access?: ObjectAccess | null | undefined;
  /** That of `access`, which listed rows lack. */
  owner?: string | null | undefined;
  encryption: StoredEncryption | null;
}

export const NULL_VERSION = "null";

const RANK_DIGITS = 10;
const SUFFIX_LENGTH = 20;
const VERSION_ID = new RegExp(`^[0-9a-z]{${RANK_DIGITS}}[0-9a-z]{${SUFFIX_LENGTH}}$`);

/** A version id contains its rank, so that no index of version ids is needed, and the end of the row's id. */
export const versionIdOf = ({ id, rank }: { id: string; rank: number }): string =>
  (-rank).toString(36).padStart(RANK_DIGITS, "0") + id.slice(-SUFFIX_LENGTH);

/** The rank of the version with this id, also if it was deleted; undefined for a text that is no version id. */
export const rankOf = (versionId: string): number | undefined =>
  VERSION_ID.test(versionId) ? -Number.parseInt(versionId.slice(0, RANK_DIGITS), 36) : undefined;

/** The blobs of a version, with the bytes that are stored and how many of the object they are, in the order of its bytes. */
export function blobsOf(row: BlobOwner) {
  if (row.isDeleteMarker) return [];
  const folder = `${row.tenantId}/${row.bucketId}`;
  const sized = (name: string, content: number) => ({ name, size: storedSizeOf(row.encryption, content), content });
  if (!row.parts) return [sized(`${folder}/${blobIdOf(row)}`, row.size)];
  return row.parts.map(([number, suffix, content]) => sized(`${folder}/${row.id}.${number}.${suffix}`, content));
}

export type BlobOwner = Pick<
  VersionRow,
  "id" | "tenantId" | "bucketId" | "isDeleteMarker" | "size" | "parts" | "blob" | "encryption"
>;

/** The last part of the name of the blob of a version that is not in parts. */
export const blobIdOf = ({ id, blob }: Pick<VersionRow, "id" | "blob">): string =>
  blob === null ? id : `${id}.${blob}`;

/** What callers see of a row. */
export const versionOf = (
  row: Omit<VersionRow, "id" | "tenantId" | "bucketId" | "noncurrentSince" | "blob">,
): ObjectVersion => ({
  key: row.key,
  ...ownerIn(row),
  versionId: row.versionId,
  isLatest: row.isLatest,
  isDeleteMarker: row.isDeleteMarker,
  size: row.size,
  etag: row.etag,
  lastModified: new Date(row.lastModified),
  contentType: row.contentType,
  headers: row.headers,
  userMetadata: row.userMetadata,
  checksums: row.checksums,
  checksumType: row.checksumType,
  tier: row.tier,
  ...(row.tags && row.tags.length > 0 ? { tags: row.tags } : {}),
  ...(row.access && { access: row.access }),
  ...(row.encryption && { encryption: row.encryption.algorithm }),
  ...(row.retention && { retention: row.retention }),
  ...(typeof row.legalHold === "boolean" && { legalHold: row.legalHold }),
  ...(row.restoreAt && row.restoreUntil
    ? { restore: { from: new Date(row.restoreAt), until: new Date(row.restoreUntil) } }
    : {}),
  ...(row.parts ? { partSizes: row.parts.map(([, , size]) => size) } : {}),
  ...(row.parts?.some(([, , , checksum]) => checksum !== undefined)
    ? { partChecksums: row.parts.map(([, , , checksum]) => checksum) }
    : {}),
});

function ownerIn({ access, owner }: Pick<VersionRow, "access" | "owner">): Pick<ObjectVersion, "owner"> {
  const tenantId = access?.owner ?? owner;
  return tenantId == null ? {} : { owner: tenantId };
}
