/** A refresh token as stored. */
export interface PresentedToken {
  /** When it was exchanged for the next one; null: never. */
  usedAt: Date | null;
  /** The expiry of its family. */
  expiresAt: Date;
}

/**
 * `rotate`: exchange it. `raced`: two tabs sent it at once, or a client retried; reject it and change nothing.
 * `reused`: two parties have it, so it was stolen. `expired`: it was not refreshed in time.
 */
export type RefreshVerdict = "rotate" | "raced" | "reused" | "expired";

/** A second use within this time is a race (RFC 9700 section 4.14.2 leaves the leeway open). */
const LEEWAY_MS = 10_000;

/**
 * Decides what to do with a refresh token presented at `now`. A race never issues a token, so a thief gains nothing
 * from it.
 */
export function decideRefresh({ usedAt, expiresAt }: PresentedToken, now: Date): RefreshVerdict {
  if (expiresAt <= now) return "expired";
  if (usedAt === null) return "rotate";
  return now.getTime() - usedAt.getTime() < LEEWAY_MS ? "raced" : "reused";
}
