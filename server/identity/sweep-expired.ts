import { ANSWERS_KEPT_MS } from "./idempotency/idempotent-answers";
import type { AccountCtx } from "./identity-ctx";
import { ACCESS_TOKEN_SECONDS } from "./session-tokens/session-token";

const DAY_MS = 24 * 60 * 60 * 1000;
/** What a key signed lives for an hour; the second is for a token that was being signed while the key was retired. */
const SIGNING_KEYS_KEPT_MS = 2 * ACCESS_TOKEN_SECONDS * 1000;
const LETTERS_KEPT_MS = 7 * DAY_MS;
const INVITATIONS_KEPT_MS = 90 * DAY_MS;

/** Deletes what time has made useless: log-ins and tokens that ended, retired signing keys, letters of a week ago, old invitations. */
export async function sweepExpired({ db, clock }: Pick<AccountCtx, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms) });
  await db.session.deleteMany({ where: { expiresAt: { lte: now } } });
  await db.refreshFamily.deleteMany({ where: { expiresAt: { lte: now } } });
  await db.signingKey.deleteMany({ where: { retiredAt: before(SIGNING_KEYS_KEPT_MS) } });
  await db.idempotentAnswer.deleteMany({ where: { createdAt: before(ANSWERS_KEPT_MS) } });
  await db.authToken.deleteMany({ where: { expiresAt: { lte: now } } });
  await db.email.deleteMany({ where: { createdAt: before(LETTERS_KEPT_MS) } });
  await db.invitation.deleteMany({ where: { expiresAt: before(INVITATIONS_KEPT_MS) } });
}
