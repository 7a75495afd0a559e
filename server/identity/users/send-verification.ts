import type { Prisma, User } from "../../engines/postgres/generated/client";
import { tryTakeForAccount } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { issueToken } from "./auth-token";
import { accountExistsEmail, verificationEmail } from "./email-templates";
import { findVerifiedAccount } from "./find-account";

/**
 * Sends the link that verifies an account's address or, when another account has verified it, a notice to its owner.
 * Both cases run the same statements, so that only the mailbox shows the difference. Does nothing after too many such
 * emails.
 */
export async function sendVerification(
  ctx: Pick<VisitorCtx, "clock" | "mail" | "publicUrl" | "counters" | "addressKey">,
  tx: Prisma.TransactionClient,
  { user: { id: userId, email }, tenantId }: { user: Pick<User, "id" | "email">; tenantId: string },
): Promise<boolean> {
  const { allowed } = await tryTakeForAccount(ctx, "verificationMail", email);
  const { token } = await issueToken(tx, { userId, kind: "verify_email", now: ctx.clock.now() });
  const { publicUrl } = ctx;
  const isTaken = (await findVerifiedAccount(tx, email)) !== null;
  if (!allowed) return false;
  const message = isTaken ? accountExistsEmail({ publicUrl, email }) : verificationEmail({ publicUrl, email, token });
  await ctx.mail.send(tx, { ...message, tenantId });
  return true;
}
