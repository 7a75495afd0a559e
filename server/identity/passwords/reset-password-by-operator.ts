import { z } from "zod";
import { randomBase32 } from "../../kernel/ids";
import { appendForUser } from "../audit/append-for-user";
import type { AccountCtx } from "../identity-ctx";
import { issueToken } from "../users/auth-token";
import { linkTo } from "../users/email-templates";
import { requireAccount } from "../users/find-account";
import { Email, userTarget } from "../users/user";
import { replacePassword } from "./replace-password";

const PASSWORD_LENGTH = 24;

export const ResetPasswordByOperator = z.object({ email: Email, with: z.enum(["password", "link"]) });

/** What the operator gives to the person: a password or a link. */
type OperatorReset = { email: string; password: string } | { email: string; link: string; expires_at: string };

/**
 * For installations without email: sets a random password and ends every session, or creates a reset link valid for an
 * hour. Throws `not_found` for an address without an account.
 */
export async function resetPasswordByOperator(
  { db, clock, hasher, publicUrl }: Pick<AccountCtx, "db" | "clock" | "hasher" | "publicUrl">,
  input: z.output<typeof ResetPasswordByOperator>,
): Promise<OperatorReset> {
  const user = await requireAccount(db, input.email);
  const now = clock.now();
  const origin = { userId: user.id, at: now, actor: { type: "operator" }, request: undefined } as const;
  const targets = [userTarget(user)];
  if (input.with === "link") {
    const { token, expiresAt } = await db.$transaction(async (tx) => {
      const issued = await issueToken(tx, { userId: user.id, kind: "reset_password", now });
      await appendForUser(tx, origin, { action: "user.password_reset_requested", targets });
      return issued;
    });
    return {
      email: user.email,
      link: linkTo(publicUrl, "reset-password", token),
      expires_at: expiresAt.toISOString(),
    };
  }
  const password = randomBase32(PASSWORD_LENGTH);
  const passwordHash = await hasher.hash(password);
  await db.$transaction(async (tx) => {
    await replacePassword(tx, { userId: user.id, passwordHash });
    await appendForUser(tx, origin, { action: "user.password_reset", targets });
  });
  return { email: user.email, password };
}
