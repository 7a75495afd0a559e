import type { AccountCtx } from "./identity-ctx";

const DAY_MS = 24 * 60 * 60 * 1000;
const LETTERS_KEPT_MS = 7 * DAY_MS;
const INVITATIONS_KEPT_MS = 90 * DAY_MS;

/** Deletes what time has made useless: sessions and tokens that ended, letters of a week ago, old invitations. */
export async function sweepExpired({ db, clock }: Pick<AccountCtx, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms) });
  await db.session.deleteMany({ where: { expiresAt: { lte: now } } });
  await db.authToken.deleteMany({ where: { expiresAt: { lte: now } } });
  await db.email.deleteMany({ where: { createdAt: before(LETTERS_KEPT_MS) } });
  await db.invitation.deleteMany({ where: { expiresAt: before(INVITATIONS_KEPT_MS) } });
}
