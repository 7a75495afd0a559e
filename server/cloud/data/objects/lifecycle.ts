import { TIERS, type Tier } from "../../../engines/objects/blob-tiers";
import type { DeletedChoice } from "./changes";
import { isColder } from "./tiers";

const DAY_MS = 24 * 60 * 60_000;

/** A rule as a bucket has it. */
export interface LifecycleRule {
  prefix: string;
  expire_days?: number | null;
  expire_noncurrent_days?: number | null;
  abort_upload_days?: number | null;
  transitions?: readonly { days: number; tier: Tier }[] | null;
  enabled: boolean;
}

/** A version as a rule looks at it. */
export interface AgedVersion {
  id: string;
  key: string;
  versionId: string;
  isLatest: boolean;
  isDeleteMarker: boolean;
  /** Milliseconds since 1970, like `noncurrentSince`. */
  lastModified: number;
  noncurrentSince: number | null;
  tier: Tier;
}

/** When a number of days has passed, at the midnight (UTC) of its end or after it, as in S3. Milliseconds since 1970. */
export const dueAt = (since: number, days: number): number => (Math.ceil(since / DAY_MS) + days) * DAY_MS;

/** What the rules of a bucket delete of a version now; `isOnly`: its key has no other version. */
export function expired(
  rules: readonly LifecycleRule[],
  version: AgedVersion & { isOnly: boolean },
  now: number,
): Omit<DeletedChoice, "markerId"> | undefined {
  const { id, key, versionId, isLatest, isDeleteMarker, isOnly, lastModified, noncurrentSince } = version;
  const isDue = (days: number | null | undefined, since: number | null) =>
    days !== undefined && days !== null && since !== null && now >= dueAt(since, days);
  const matching = rules.filter(({ enabled, prefix }) => enabled && key.startsWith(prefix));
  const onlyIf = { id, isLatest };
  if (!isLatest) {
    const isOver = matching.some((rule) => isDue(rule.expire_noncurrent_days, noncurrentSince));
    return isOver ? { key, versionId, onlyIf } : undefined;
  }
  if (!isDeleteMarker) {
    return matching.some((rule) => isDue(rule.expire_days, lastModified)) ? { key, onlyIf } : undefined;
  }
  // A marker that hides nothing any more.
  const days = (rule: LifecycleRule) => rule.expire_days ?? rule.expire_noncurrent_days;
  return isOnly && matching.some((rule) => isDue(days(rule), lastModified)) ? { key, versionId, onlyIf } : undefined;
}

/** The coldest class that a rule moves a version to now; undefined if it is there, or in a colder one. */
export function dueTier(
  rules: readonly LifecycleRule[],
  { key, isDeleteMarker, lastModified, tier }: AgedVersion,
  now: number,
): Tier | undefined {
  if (isDeleteMarker) return undefined;
  const due = rules
    .filter(({ enabled, prefix }) => enabled && key.startsWith(prefix))
    .flatMap(({ transitions }) => transitions ?? [])
    .filter(({ days }) => now >= dueAt(lastModified, days));
  return TIERS.findLast((each) => isColder(each, tier) && due.some((transition) => transition.tier === each));
}

/** When an upload of a key is aborted: after a day where no rule says otherwise. Milliseconds since 1970. */
export function uploadEnd(
  rules: readonly LifecycleRule[],
  { key, startedAt }: { key: string; startedAt: number },
): number {
  const days = rules.flatMap(({ enabled, prefix, abort_upload_days }) =>
    enabled && key.startsWith(prefix) ? (abort_upload_days ?? []) : [],
  );
  return days.length === 0 ? startedAt + DAY_MS : dueAt(startedAt, Math.min(...days));
}
