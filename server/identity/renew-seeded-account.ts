import { type Mode, SCOPES } from "../operation/actor";
import { insertKey } from "./api-keys/create-api-key";
import type { AccountCtx } from "./identity-ctx";
import { replacePassword } from "./passwords/replace-password";

interface RenewSeededAccount {
  userId: string;
  tenantId: string;
  projectId: string;
  password: string;
}

/**
 * Creates a new password and two new keys with every scope for an account that `seedAccount` created and whose secrets
 * are lost. Ends the owner's sessions; older keys stay valid.
 */
export async function renewSeededAccount(
  { db, clock, hasher }: Pick<AccountCtx, "db" | "clock" | "hasher">,
  { userId, password, ...owner }: RenewSeededAccount,
): Promise<{ test: string; live: string }> {
  const passwordHash = await hasher.hash(password);
  const now = clock.now();
  return db.$transaction(async (tx) => {
    await replacePassword(tx, { userId, passwordHash });
    const keyOf = async (mode: Mode): Promise<string> =>
      (await insertKey(tx, { ...owner, mode, name: `${mode} key`, scopes: SCOPES, expiresAt: null, now })).key;
    return { test: await keyOf("test"), live: await keyOf("live") };
  });
}
