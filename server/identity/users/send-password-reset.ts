import { z } from "zod";
import { appendForUser } from "../audit/append-for-user";
import { StoredRequest } from "../audit/stored-request";
import type { AccountCtx } from "../identity-ctx";
import { issueToken } from "./auth-token";
import { passwordResetLetter } from "./letters";
import { Email, userTarget } from "./user";

export const SendPasswordReset = z.object({ email: Email, request: StoredRequest });

/** Writes the letter that was asked for, when the address has an account. */
export async function sendPasswordReset(
  { db, clock, mail, publicUrl }: AccountCtx,
  { email, request }: z.output<typeof SendPasswordReset>,
): Promise<void> {
  const user = await db.user.findUnique({ where: { email } });
  if (!user) return;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const { token } = await issueToken(tx, { userId: user.id, kind: "reset_password", now });
    await mail.send(tx, passwordResetLetter({ publicUrl, email, token }));
    const origin = { userId: user.id, at: now, actor: { type: "visitor" }, request } as const;
    await appendForUser(tx, origin, { action: "user.password_reset_requested", targets: [userTarget(user)] });
  });
}
