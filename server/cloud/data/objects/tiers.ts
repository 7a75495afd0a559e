import { TIERS, type Tier, tierOfBlob } from "../../../engines/objects/blob-tiers";
import { randomBase32 } from "../../../kernel/ids";
import type { PartEntry, VersionRow } from "./version-row";

/** How long it takes until an archived object that was restored can be read. Ours. */
export const RESTORE_DELAY_MS = 5 * 60_000;
export const RESTORE_DAYS_MAX = 365;
const SUFFIX_LENGTH = 8;

export const isColder = (tier: Tier, than: Tier): boolean => TIERS.indexOf(tier) > TIERS.indexOf(than);

/** Where the bytes of a version are: `blob` is the end of the name of its blob, or `parts` have those of theirs. */
export type Placement = Pick<VersionRow, "tier" | "blob" | "parts">;

/** A new blob name's end in a class; null: that of the hot class has none. */
export const newBlobEnd = (tier: Tier): string | null => (tier === "hot" ? null : newPartSuffix(tier));

export const newPartSuffix = (tier: Tier): string =>
  `${randomBase32(SUFFIX_LENGTH)}${tier === "hot" ? "" : `.${tier}`}`;

/**
 * Places for the blobs of a version in another class. Of a version in parts, only as many get a new place as have
 * `bytesMax` bytes, at least one; until all are in that class, the version stays in its own.
 */
export function placedIn(tier: Tier, from: Placement, bytesMax = Number.POSITIVE_INFINITY): Placement {
  if (!from.parts) return { tier, blob: newBlobEnd(tier), parts: null };
  let bytes = 0;
  const parts = from.parts.map((part): PartEntry => {
    const [number, suffix, size, ...checksum] = part;
    if (tierOfBlob(suffix) === tier || (bytes > 0 && bytes + size > bytesMax)) return part;
    bytes += size;
    return [number, newPartSuffix(tier), size, ...checksum];
  });
  const isDone = parts.every(([, suffix]) => tierOfBlob(suffix) === tier);
  return { tier: isDone ? tier : from.tier, blob: null, parts };
}

/** Whether an archived version was restored and can be read now. */
export function isReadable({ tier, restoreAt, restoreUntil }: Restorable, now: number): boolean {
  if (tier !== "archive") return true;
  return restoreAt !== null && restoreUntil !== null && restoreAt <= now && now < restoreUntil;
}

type Restorable = Pick<VersionRow, "tier" | "restoreAt" | "restoreUntil">;
