import { keyRange } from "./key-range";
import { type Entry, FIRST_RANK, LAST_RANK, readObjects, readVersions } from "./lists.sql";
import { findRow } from "./object-reads";
import type { ObjectStore } from "./object-store";
import type { BucketRef, ListOptions, ObjectPage, VersionPage } from "./objects";
import { rankOf, versionOf } from "./version-row";
import type { ListedVersion } from "./versions.sql";

/** S3's maximum of a page. */
const PAGE_MAX = 1000;

export async function listObjects(
  { sql }: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  options: ListOptions,
): Promise<ObjectPage> {
  const range = keyRange(options);
  const limit = limitOf(options);
  const entries = range ? await readObjects(sql, { bucketId: bucket.id, range, limit: limit + 1 }) : [];
  const { rows, prefixes, last } = pageOf(entries, limit);
  return { objects: rows.map(listedOf), prefixes, next: last && ("row" in last ? last.row.key : last.prefix) };
}

export async function listVersions(
  store: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  options: ListOptions & { afterVersionId?: string },
): Promise<VersionPage> {
  const range = keyRange(options);
  const limit = limitOf(options);
  const page = range && {
    bucketId: bucket.id,
    range,
    limit: limit + 1,
    afterRank: await afterRank(store, bucket, options),
  };
  const { rows, prefixes, last } = pageOf(page ? await readVersions(store.sql, page) : [], limit);
  return { versions: rows.map(listedOf), prefixes, next: last && nextVersion(last) };
}

const NOTHING = { headers: {}, userMetadata: {}, parts: null };
const listedOf = (row: ListedVersion) => versionOf({ ...row, ...NOTHING });

const nextVersion = (last: Entry<ListedVersion>) =>
  "row" in last ? { key: last.row.key, versionId: last.row.versionId } : { key: last.prefix, versionId: "" };

/**
 * The rank of a version whose page has ended with it, also if it was deleted meanwhile; the version without an id has
 * none then, and its key is listed again from its newest version.
 */
async function afterRank(
  store: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  { after, afterVersionId }: ListOptions & { afterVersionId?: string },
): Promise<number> {
  if (after === undefined || afterVersionId === undefined || afterVersionId === "") return LAST_RANK;
  const known = rankOf(afterVersionId);
  if (known !== undefined) return known;
  const row = await findRow(store, bucket, { key: after, versionId: afterVersionId });
  return row?.rank ?? FIRST_RANK;
}

/** A page from one entry more than it has. */
function pageOf<Row>(entries: readonly Entry<Row>[], limit: number) {
  const shown = entries.slice(0, limit);
  return {
    rows: shown.flatMap((entry) => ("row" in entry ? [entry.row] : [])),
    prefixes: shown.flatMap((entry) => ("prefix" in entry ? [entry.prefix] : [])),
    last: entries.length > limit ? shown.at(-1) : undefined,
  };
}

const limitOf = ({ limit }: ListOptions): number => Math.min(PAGE_MAX, Math.max(1, Math.trunc(limit)));
