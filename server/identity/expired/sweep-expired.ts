import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ANSWERS_KEPT_MS } from "../../operation/idempotency/idempotency-store";
import { eventsKeptFrom } from "../events/event";
import { ACCESS_TOKEN_SECONDS } from "../session-tokens/session-token";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Tokens live for an hour; the second hour covers a token that was being signed while its key was retired. */
const SIGNING_KEYS_KEPT_MS = 2 * ACCESS_TOKEN_SECONDS * 1000;
const EMAILS_KEPT_MS = 7 * DAY_MS;
const INVITATIONS_KEPT_MS = 90 * DAY_MS;
/** Rows per statement: few enough to stay within the statement timeout, whatever the backlog. */
const BATCH_ROWS = 1000;

export interface ExpiredCtx {
  db: PrismaClient;
  clock: Clock;
}

/**
 * Deletes what has expired, in statements of 1,000 rows: sessions, tokens, retired signing keys, stored idempotent
 * responses, tasks of agents, emails after a week, events after 30 days and invitations 90 days after their end.
 */
export async function sweepExpired({ db, clock }: ExpiredCtx): Promise<void> {
  const now = clock.now();
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms) });
  const ended = { expiresAt: { lte: now } };
  await inBatches((limit) => db.session.deleteMany({ where: ended, limit }));
  // A family may have any number of tokens, and deleting it would delete all of them in one statement.
  await inBatches((limit) => db.refreshToken.deleteMany({ where: { family: ended }, limit }));
  await inBatches((limit) => db.refreshFamily.deleteMany({ where: ended, limit }));
  await inBatches((limit) => db.signingKey.deleteMany({ where: { retiredAt: before(SIGNING_KEYS_KEPT_MS) }, limit }));
  await inBatches((limit) => db.idempotentAnswer.deleteMany({ where: { createdAt: before(ANSWERS_KEPT_MS) }, limit }));
  await inBatches((limit) => db.agentTask.deleteMany({ where: ended, limit }));
  await inBatches((limit) => db.authToken.deleteMany({ where: ended, limit }));
  await inBatches((limit) => db.logInCode.deleteMany({ where: ended, limit }));
  await inBatches((limit) => db.email.deleteMany({ where: { createdAt: before(EMAILS_KEPT_MS) }, limit }));
  await inBatches((limit) => db.event.deleteMany({ where: { createdAt: { lt: eventsKeptFrom(clock) } }, limit }));
  await inBatches((limit) => db.invitation.deleteMany({ where: { expiresAt: before(INVITATIONS_KEPT_MS) }, limit }));
}

async function inBatches(deleteUpTo: (limit: number) => Promise<{ count: number }>): Promise<void> {
  while ((await deleteUpTo(BATCH_ROWS)).count === BATCH_ROWS);
}
