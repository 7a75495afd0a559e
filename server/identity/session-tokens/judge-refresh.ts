/** A refresh token as the table has it. */
export interface PresentedToken {
  /** When it was exchanged for the next one; null: never. */
  usedAt: Date | null;
  /** Of its family. */
  expiresAt: Date;
}

/**
 * `rotate`: exchange it. `raced`: two tabs sent it at once, or a client twice; refuse, and leave all as it is. `reused`:
 * two parties hold it, and one of them stole it. `expired`: nobody refreshed in time.
 */
export type RefreshVerdict = "rotate" | "raced" | "reused" | "expired";

/** Within this time of a token's use a second use is a race (RFC 9700 section 4.14.2 leaves the leeway open). */
const LEEWAY_MS = 10_000;

/** What becomes of a refresh token that is presented at `now`. A race never mints a token, so a thief gains nothing by it. */
export function judgeRefresh({ usedAt, expiresAt }: PresentedToken, now: Date): RefreshVerdict {
  if (expiresAt <= now) return "expired";
  if (usedAt === null) return "rotate";
  return now.getTime() - usedAt.getTime() < LEEWAY_MS ? "raced" : "reused";
}
