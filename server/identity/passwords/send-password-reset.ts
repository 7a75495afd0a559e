import { z } from "zod";
import { appendForUser } from "../audit/append-for-user";
import { StoredRequest } from "../audit/stored-request";
import type { AccountCtx } from "../identity-ctx";
import { issueToken } from "../users/auth-token";
import { passwordResetEmail } from "../users/email-templates";
import { findAccount } from "../users/find-account";
import { Email, userTarget } from "../users/user";

export type ResetEmailCtx = Pick<AccountCtx, "db" | "clock" | "mail" | "publicUrl">;

export const SendPasswordReset = z.object({ email: Email, request: StoredRequest });

/** Sends the requested reset email if the address has an account. */
export async function sendPasswordReset(
  { db, clock, mail, publicUrl }: ResetEmailCtx,
  { email, request }: z.output<typeof SendPasswordReset>,
): Promise<void> {
  const user = await findAccount(db, email);
  if (!user) return;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const { token } = await issueToken(tx, { userId: user.id, kind: "reset_password", now });
    // Not stored in the outbox of a tenant: the link gives access to the account in all of its tenants.
    await mail.send(tx, { ...passwordResetEmail({ publicUrl, email, token }), tenantId: null });
    const origin = { userId: user.id, at: now, actor: { type: "visitor" }, request } as const;
    await appendForUser(tx, origin, { action: "user.password_reset_requested", targets: [userTarget(user)] });
  });
}
