import { z } from "zod";
import { take } from "../attempts";
import type { PersonCtx } from "../identity-ctx";
import { issueToken } from "./auth-token";
import { verificationLetter } from "./letters";

export const ResendVerification = z.object({});

/** Sends another verification letter; false when the address is verified or no mail leaves this installation. */
export async function resendVerification(
  ctx: PersonCtx,
  _input: z.output<typeof ResendVerification>,
): Promise<{ sent: boolean }> {
  const { db, clock, mail, publicUrl, actor } = ctx;
  await take(ctx, "mail", actor.userId);
  const user = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
  if (user.emailVerifiedAt || mail.delivery === "none") return { sent: false };
  await db.$transaction(async (tx) => {
    const { token } = await issueToken(tx, { userId: user.id, kind: "verify_email", now: clock.now() });
    await mail.send(tx, verificationLetter({ publicUrl, email: user.email, token }));
  });
  return { sent: true };
}
