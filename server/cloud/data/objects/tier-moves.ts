import type { Tier } from "../../../engines/objects/blob-tiers";
import { ServiceError } from "../../../kernel/errors";
import type { SweepParts } from "./blob-sweeps";
import { dueTier, expired } from "./lifecycle";
import { commitWithBlobs, type ObjectStore, removeNow } from "./object-store";
import { copyBlobs } from "./object-writes";
import { type PagedVersion, type RuledBucket, walkRuledBuckets } from "./ruled-buckets";
import { isColder, placedIn } from "./tiers";
import { blobsOf } from "./version-row";
import { readRanked } from "./versions.sql";

const TRANSITIONS = "transitions";
/** Versions that one run looks at; the next one goes on behind them. */
const VERSIONS_MAX = 1_000_000;
/** Bytes that one run moves. */
const RUN_BYTES = 64 * 2 ** 30;
/** Blobs of one commit: they are written in far less than the hour after which the sweep of orphans removes them. */
const STEP_BYTES = 8 * 2 ** 30;

export type MoveParts = SweepParts & Pick<ObjectStore, "commits" | "readings">;

/** Moves versions to the classes that the lifecycle rules of their buckets name, from where the last run ended. */
export async function moveByAge(
  parts: MoveParts,
  { versionsMax = VERSIONS_MAX, runBytes = RUN_BYTES, stepBytes = STEP_BYTES } = {},
): Promise<void> {
  let left = runBytes;
  const visit = async (bucket: RuledBucket, page: readonly PagedVersion[]): Promise<boolean> => {
    const now = parts.clock.now().getTime();
    for (const version of page) {
      const tier = dueTier(bucket.rules, version, now);
      // An older version that is deleted today is not moved before.
      if (tier === undefined || (!version.isLatest && expired(bucket.rules, version, now))) continue;
      if (left <= 0 || parts.stopping.aborted) return false;
      left -= version.size;
      await moveOne(parts, { bucketId: bucket.id, version, tier, stepBytes });
    }
    return true;
  };
  await walkRuledBuckets(parts, { name: TRANSITIONS, versionsMax, visit });
}

interface Move {
  bucketId: string;
  version: Pick<PagedVersion, "id" | "key" | "rank">;
  tier: Tier;
  /** Of the blobs of one commit. */
  stepBytes: number;
}

/** One version whose bytes are damaged does not stop the others; a store that is away does. */
async function moveOne(parts: MoveParts, move: Move): Promise<void> {
  try {
    while (await moveStep(parts, move));
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code === "unavailable") throw failure;
    parts.log.error({ err: failure, object: move.version.id, tier: move.tier }, "cannot move a stored object");
  }
}

/**
 * Writes blobs of a version in another class and commits their new places; true if more of it is left. A process that
 * dies before the commit leaves copies for the sweep of orphans, and one that is not needed any more is removed.
 */
async function moveStep(
  parts: MoveParts,
  { bucketId, version: { id, key, rank }, tier, stepBytes }: Move,
): Promise<boolean> {
  const row = await readRanked(parts.sql, { bucketId, key }, rank);
  if (row?.id !== id || !isColder(tier, row.tier) || parts.stopping.aborted) return false;
  const to = placedIn(tier, row, stepBytes);
  const names = await copyBlobs(parts, blobsOf(row), blobsOf({ ...row, ...to }));
  const { versionId, blob, parts: pieces } = row;
  const from = { tier: row.tier, blob, parts: pieces };
  const change = { kind: "move" as const, bucketId, key, version: { id, versionId }, from, to };
  const isMoved = await commitWithBlobs(parts, { tenantId: row.tenantId, change, names });
  if (!isMoved) await removeNow(parts.blobs, names, parts.log);
  return isMoved && to.tier !== tier;
}
