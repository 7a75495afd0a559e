import { z } from "zod";
import type { AccountCtx } from "../identity-ctx";
import { issueToken } from "./auth-token";
import { passwordResetLetter } from "./letters";
import { Email } from "./user";

export const SendPasswordReset = z.object({ email: Email });

/** Writes the letter that was asked for, when the address has an account. */
export async function sendPasswordReset(
  { db, clock, mail, publicUrl }: AccountCtx,
  { email }: z.output<typeof SendPasswordReset>,
): Promise<void> {
  const user = await db.user.findUnique({ where: { email } });
  if (!user) return;
  await db.$transaction(async (tx) => {
    const { token } = await issueToken(tx, { userId: user.id, kind: "reset_password", now: clock.now() });
    await mail.send(tx, passwordResetLetter({ publicUrl, email, token }));
  });
}
