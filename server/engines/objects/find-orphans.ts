import type { BlobStore } from "./blob-store";

export interface OrphanSearch {
  /** Later than this a blob may belong to a change that is not committed yet: an hour before now. */
  olderThan: Date;
  /** Those of at most 1,000 names that a version, a part or an upload has. */
  neededOf: (names: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Yields, in batches, the names of blobs that nothing needs: what a crash between a put and its commit left behind. */
export async function* findOrphans(
  blobs: Pick<BlobStore, "list">,
  { olderThan, neededOf }: OrphanSearch,
): AsyncIterable<readonly string[]> {
  for await (const names of blobs.list({ olderThan })) {
    const needed = await neededOf(names);
    const orphans = names.filter((name) => !needed.has(name));
    if (orphans.length > 0) yield orphans;
  }
}
