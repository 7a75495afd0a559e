import type { Prisma, TokenKind } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { randomBase32 } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";

/** 52 characters of 5 bits each: 260 bits. */
const TOKEN_LENGTH = 52;
const HOUR_MS = 60 * 60 * 1000;

const TOKEN_LIFE_MS: Readonly<Record<TokenKind, number>> = {
  verify_email: 24 * HOUR_MS,
  reset_password: HOUR_MS,
};

export const newToken = (): string => randomBase32(TOKEN_LENGTH);

interface TokenOf {
  kind: TokenKind;
  now: Date;
}

/** Creates a token of which only the hash is stored. */
export async function issueToken(
  tx: Prisma.TransactionClient,
  { userId, kind, now }: TokenOf & { userId: string },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS[kind]);
  await tx.authToken.create({ data: { hash: sha256(token), userId, kind, expiresAt, createdAt: now } });
  return { token, expiresAt };
}

/** Returns the user of a valid token. Throws `invalid_request` with `param: "token"`. */
export async function findToken(
  tx: Prisma.TransactionClient,
  { token, kind, now }: TokenOf & { token: string },
): Promise<string> {
  const found = await tx.authToken.findFirst({ where: { hash: sha256(token), kind, expiresAt: { gt: now } } });
  if (!found) throw badToken();
  return found.userId;
}

/** Uses a token up: one of several concurrent calls gets its user, the others throw `invalid_request`. */
export async function claimToken(tx: Prisma.TransactionClient, claim: TokenOf & { token: string }): Promise<string> {
  const userId = await findToken(tx, claim);
  const { count } = await tx.authToken.deleteMany({ where: { hash: sha256(claim.token) } });
  if (count === 0) throw badToken();
  await tx.authToken.deleteMany({ where: { userId, kind: claim.kind } });
  return userId;
}

const badToken = (): ServiceError =>
  new ServiceError("invalid_request", "This link was already used or has expired; request a new one.", {
    param: "token",
    details: { reason: "token_invalid" },
  });
