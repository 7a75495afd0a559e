import { randomInt } from "node:crypto";
import type { Prisma } from "../../engines/postgres/generated/client";
import { keyedHash } from "../../kernel/secrets";
import type { AccountCtx } from "../identity-ctx";

const DIGITS = 8;
const LIFE_MS = 10 * 60 * 1000;
/** Attempts per code; there are 100 million codes. */
const TRIES = 5;

type CodeCtx = Pick<AccountCtx, "clock" | "logInKey">;

/**
 * Creates the login code of an account, valid for ten minutes and five attempts; it replaces an earlier one. Only a
 * keyed hash is stored.
 */
export async function issueLogInCode(
  { clock, logInKey }: CodeCtx,
  tx: Prisma.TransactionClient,
  userId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const code = randomInt(10 ** DIGITS)
    .toString()
    .padStart(DIGITS, "0");
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + LIFE_MS);
  const row = { hash: hashOf(logInKey, userId, code), triesLeft: TRIES, expiresAt, createdAt: now };
  await tx.logInCode.upsert({ where: { userId }, create: { userId, ...row }, update: row });
  return { code, expiresAt };
}

/** Whether the code is correct; only one of several concurrent calls can use a correct code. */
export async function claimLogInCode(
  { db, clock, logInKey }: CodeCtx & Pick<AccountCtx, "db">,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const { count: tries } = await db.logInCode.updateMany({
    where: { userId, triesLeft: { gt: 0 }, expiresAt: { gt: clock.now() } },
    data: { triesLeft: { decrement: 1 } },
  });
  if (tries === 0) return false;
  const { count } = await db.logInCode.deleteMany({ where: { userId, hash: hashOf(logInKey, userId, code) } });
  return count === 1;
}

const hashOf = (logInKey: Buffer, userId: string, code: string): string =>
  keyedHash(logInKey, `code:${userId}:${code}`);
