import { TIERS, type Tier } from "../../../engines/objects/blob-tiers";
import type { DeletedChoice } from "./changes";
import type { ObjectTags } from "./objects";
import { isColder } from "./tiers";

const DAY_MS = 24 * 60 * 60_000;

/** A rule as a bucket has it. Dates are days such as 2030-01-31, sizes bytes. */
export interface LifecycleRule {
  prefix: string;
  tags?: readonly { key: string; value: string }[] | undefined;
  larger_than?: number | undefined;
  smaller_than?: number | undefined;
  expire_days?: number | undefined;
  expire_date?: string | undefined;
  expire_markers?: boolean | undefined;
  expire_noncurrent_days?: number | undefined;
  keep_noncurrent?: number | undefined;
  abort_upload_days?: number | undefined;
  transitions?: readonly { days?: number | undefined; date?: string | undefined; tier: Tier }[] | undefined;
  noncurrent_transitions?: readonly { days: number; keep?: number | undefined; tier: Tier }[] | undefined;
  enabled: boolean;
}

/** What filters look at; the times are milliseconds since 1970. */
export interface FilteredVersion {
  key: string;
  size: number;
  tags?: ObjectTags | null | undefined;
  lastModified: number;
}

/** A version as a rule looks at it. */
export interface AgedVersion extends FilteredVersion {
  id: string;
  versionId: string;
  isLatest: boolean;
  isDeleteMarker: boolean;
  noncurrentSince: number | null;
  /** Older versions of its key that are newer than it, delete markers left out. */
  newerNoncurrent: number;
  tier: Tier;
}

/** When a number of days has passed, at the midnight (UTC) of its end or after it, as in S3. Milliseconds since 1970. */
export const dueAt = (since: number, days: number): number => (Math.ceil(since / DAY_MS) + days) * DAY_MS;

/** From when on a rule deletes a current version that it applies to, in milliseconds since 1970; undefined: never. */
function endOf({ expire_days, expire_date }: LifecycleRule, lastModified: number): number | undefined {
  if (expire_days) return dueAt(lastModified, expire_days);
  return expire_date ? Date.parse(expire_date) : undefined;
}

function applies(rule: LifecycleRule, version: FilteredVersion): boolean {
  if (!rule.enabled || !version.key.startsWith(rule.prefix)) return false;
  if (version.size <= (rule.larger_than ?? -1)) return false;
  if (version.size >= (rule.smaller_than ?? Number.POSITIVE_INFINITY)) return false;
  return (rule.tags ?? []).every(({ key, value }) =>
    version.tags?.some(([name, text]) => name === key && text === value),
  );
}

/** A delete marker has neither a size nor tags. */
const appliesToMarker = (rule: LifecycleRule, key: string): boolean =>
  rule.enabled && key.startsWith(rule.prefix) && (rule.tags ?? rule.larger_than ?? rule.smaller_than) === undefined;

/** The rule that deletes a current version first, and when (milliseconds since 1970); undefined: none does. */
export function firstExpiry<R extends LifecycleRule>(
  rules: readonly R[],
  version: FilteredVersion,
): { rule: R; at: number } | undefined {
  const ends = rules.flatMap((rule) => {
    const at = applies(rule, version) ? endOf(rule, version.lastModified) : undefined;
    return at === undefined ? [] : [{ rule, at }];
  });
  return ends.toSorted((a, b) => a.at - b.at)[0];
}

/** What the rules of a bucket delete of a version now; `isOnly`: its key has no other version. */
export function expired(
  rules: readonly LifecycleRule[],
  version: AgedVersion & { isOnly: boolean },
  now: number,
): Omit<DeletedChoice, "markerId"> | undefined {
  const { id, key, versionId, isLatest, isDeleteMarker, isOnly, lastModified, noncurrentSince } = version;
  const onlyIf = { id, isLatest };
  if (!isLatest) {
    const isOver = rules.some(
      (rule) =>
        (isDeleteMarker ? appliesToMarker(rule, key) : applies(rule, version)) &&
        isDueNoncurrent(version, { days: rule.expire_noncurrent_days, keep: rule.keep_noncurrent, now }),
    );
    return isOver && noncurrentSince !== null ? { key, versionId, onlyIf } : undefined;
  }
  if (!isDeleteMarker) {
    return now >= (firstExpiry(rules, version)?.at ?? Number.POSITIVE_INFINITY) ? { key, onlyIf } : undefined;
  }
  // A marker that hides nothing any more.
  const isOver = (rule: LifecycleRule): boolean => {
    if (rule.expire_markers) return true;
    const end =
      endOf(rule, lastModified) ?? (rule.expire_noncurrent_days && dueAt(lastModified, rule.expire_noncurrent_days));
    return now >= (end || Number.POSITIVE_INFINITY);
  };
  return isOnly && rules.some((rule) => appliesToMarker(rule, key) && isOver(rule))
    ? { key, versionId, onlyIf }
    : undefined;
}

/** `keep`: the newest of the older versions that stay. */
function isDueNoncurrent(
  { noncurrentSince, newerNoncurrent }: AgedVersion,
  { days, keep, now }: { days: number | undefined; keep: number | undefined; now: number },
): boolean {
  if (days === undefined || noncurrentSince === null) return false;
  return newerNoncurrent >= (keep ?? 0) && now >= dueAt(noncurrentSince, days);
}

/** The coldest class that a rule moves a version to now; undefined if it is there, or in a colder one. */
export function dueTier(rules: readonly LifecycleRule[], version: AgedVersion, now: number): Tier | undefined {
  if (version.isDeleteMarker) return undefined;
  const { isLatest, lastModified, tier } = version;
  const due = rules
    .filter((rule) => applies(rule, version))
    .flatMap(({ transitions, noncurrent_transitions: older }) =>
      isLatest
        ? (transitions ?? []).filter(
            ({ days, date }) => now >= (typeof days === "number" ? dueAt(lastModified, days) : Date.parse(date ?? "")),
          )
        : (older ?? []).filter(({ days, keep }) => isDueNoncurrent(version, { days, keep, now })),
    );
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
