import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Counters } from "../../engines/counters/counters";
import type { Prisma, SigningKey as SigningKeyRow } from "../../engines/postgres/generated/client";
import { lockNameIn } from "../../engines/postgres/named-lock";
import { randomBase32 } from "../../kernel/ids";
import { seal, unseal } from "../../kernel/secrets";
import type { AccountCtx } from "../identity-ctx";

/** A key that signs and verifies session tokens. */
export interface SigningKey {
  kid: string;
  secret: KeyObject;
}

export interface SigningKeyCtx extends Pick<AccountCtx, "db" | "clock" | "jwtKey"> {
  counters: Pick<Counters, "publish">;
}

/** The topic that notifies every process of a new key. */
export const SIGNING_KEYS_CHANGED = "identity:signing_keys_changed";

/** RFC 7518 section 3.2: the key is at least as long as the hash. */
const SECRET_BYTES = 32;
const KID_LENGTH = 16;

/**
 * Returns the current signing key, read on each call so that a rotation applies immediately; the first call creates the
 * first key.
 */
export async function currentSigningKey(ctx: SigningKeyCtx): Promise<SigningKey> {
  const key = await newestKey(ctx.db, ctx.jwtKey);
  if (key) return key;
  const created = await ctx.db.$transaction(async (tx) => {
    await lockSigningKeys(tx);
    return (await newestKey(tx, ctx.jwtKey)) ?? insertSigningKey(tx, ctx);
  });
  await announceSigningKey(ctx, created.kid);
  return created;
}

/** The lock for creating a key, so that two processes agree on one. */
export async function lockSigningKeys(tx: Prisma.TransactionClient): Promise<void> {
  await lockNameIn(tx, "signing-keys");
}

export async function insertSigningKey(
  tx: Prisma.TransactionClient,
  { clock, jwtKey }: Pick<SigningKeyCtx, "clock" | "jwtKey">,
): Promise<SigningKey> {
  const kid = randomBase32(KID_LENGTH);
  const secret = randomBytes(SECRET_BYTES);
  const sealedSecret = seal(jwtKey, secret.toString("base64url"), contextOf(kid));
  await tx.signingKey.create({ data: { kid, sealedSecret, createdAt: clock.now() } });
  return { kid, secret: createSecretKey(secret) };
}

/** Undefined for a secret that was sealed with another SVC_SECRET. */
export function openSigningKey(
  jwtKey: Buffer,
  { kid, sealedSecret }: Pick<SigningKeyRow, "kid" | "sealedSecret">,
): SigningKey | undefined {
  const secret = unseal(jwtKey, sealedSecret, contextOf(kid));
  return secret === undefined ? undefined : { kid, secret: createSecretKey(secret, "base64url") };
}

/** A process that misses the message reads the key when it first receives its `kid`. */
export const announceSigningKey = ({ counters }: Pick<SigningKeyCtx, "counters">, kid: string): Promise<void> =>
  counters.publish(SIGNING_KEYS_CHANGED, kid).catch(() => undefined);

const contextOf = (kid: string): string => `signing_key:${kid}`;

async function newestKey(db: Prisma.TransactionClient, jwtKey: Buffer): Promise<SigningKey | undefined> {
  const rows = await db.signingKey.findMany({
    where: { retiredAt: null },
    orderBy: [{ createdAt: "desc" }, { kid: "asc" }],
  });
  for (const row of rows) {
    const key = openSigningKey(jwtKey, row);
    if (key) return key;
  }
  return undefined;
}
