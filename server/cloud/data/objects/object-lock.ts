import { ServiceError } from "../../../kernel/errors";
import { isLockedVersion, lockModeStays, noObjectLock, retainUntilPassed } from "./object-errors";
import type { BucketLock, BucketRef, Lockable, LockChoice, NewLock, Retention } from "./objects";

const DAY_MS = 24 * 60 * 60_000;
/** A year of a default retention, as in S3. */
const YEAR_DAYS = 365;

/** Whether a retention still holds at a time, in milliseconds since 1970. */
const holds = (retention: Retention | null | undefined, now: number): retention is Retention =>
  retention !== null && retention !== undefined && now < retention.until;

/** Whether a version can not be deleted at a time; `bypass`: a retention in governance mode does not count. */
export const isLocked = ({ retention, legalHold }: Lockable, now: number, bypass = false): boolean =>
  legalHold === true || (holds(retention, now) && !(bypass && retention.mode === "governance"));

/** Throws `forbidden` (reason `object_locked`) if a version can not be deleted or replaced now. */
export function assertNotLocked(
  row: (Lockable & { key: string }) | undefined,
  { now, bypass = false }: { now: number; bypass?: boolean | undefined },
): void {
  if (row && isLocked(row, now, bypass)) throw isLockedVersion(row.key, row);
}

/** What a new version of a bucket has: what is asked for, or else the default retention. Throws `no_object_lock`. */
export function lockOfNew(
  asked: NewLock | undefined,
  { objectLock, now }: { objectLock: BucketLock | null | undefined; now: number },
): Lockable {
  if (!objectLock) {
    if (asked) throw noObjectLock();
    return {};
  }
  const retention = asked?.retention ?? defaultRetention(objectLock, now);
  return {
    ...(retention && { retention }),
    ...(asked?.legalHold !== undefined && { legalHold: asked.legalHold }),
  };
}

function defaultRetention({ default_retention: rule }: BucketLock, now: number): Retention | undefined {
  if (!rule) return undefined;
  const days = rule.days ?? (rule.years ?? 0) * YEAR_DAYS;
  return { mode: rule.mode, until: now + days * DAY_MS };
}

/** Refuses before the body is read what a new version can not have; the commit decides exactly. */
export function assertLockable(
  { objectLock }: Pick<BucketRef, "objectLock">,
  lock: NewLock | undefined,
  now: Date,
): void {
  if (!lock) return;
  if (objectLock === null) throw noObjectLock();
  assertFuture(lock.retention, now.getTime());
}

/** Throws `invalid_request` (reason `retain_until_passed`) for a retention that has ended already. */
export function assertFuture(retention: Retention | null | undefined, now: number): void {
  if (retention && !holds(retention, now)) throw retainUntilPassed();
}

/**
 * What a version has after a change of its lock. A retention that holds is only extended, in its mode; one in governance
 * mode is changed in every way by those who may bypass it. Throws `forbidden` (reason `object_locked`).
 */
export function changedLock(
  row: Lockable & { key: string },
  { retention, legalHold, bypassGovernance = false }: LockChoice,
  now: number,
): Lockable {
  assertFuture(retention, now);
  if (retention !== undefined && holds(row.retention, now)) {
    const isExtended = retention?.mode === row.retention.mode && retention.until >= row.retention.until;
    const isBypassed = bypassGovernance && row.retention.mode === "governance";
    if (!isExtended && !isBypassed) throw lockModeStays(row.key, row.retention);
  }
  return {
    retention: retention === undefined ? row.retention : retention,
    legalHold: legalHold === undefined ? row.legalHold : legalHold,
  };
}

/** The error that is thrown, if it is one of svc. */
export function failureOf(assert: () => void): ServiceError | undefined {
  try {
    assert();
    return undefined;
  } catch (failure) {
    if (failure instanceof ServiceError) return failure;
    throw failure;
  }
}
