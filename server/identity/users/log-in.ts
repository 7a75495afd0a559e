import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { takeForAccount, takeForAddress } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { openSession, type SignedIn } from "../sessions/open-session";
import { Email, PasswordAttempt } from "./user";

export const LogIn = z.object({ email: Email, password: PasswordAttempt });

/**
 * Opens a session in the tenant that the person joined first. Unknown account and wrong password are the same
 * `unauthorized` after the same work. Throws `rate_limited` per account and per address, `forbidden` for somebody who
 * belongs to no tenant any more.
 */
export async function logIn(ctx: VisitorCtx, { email, password }: z.output<typeof LogIn>): Promise<SignedIn> {
  await takeForAddress(ctx, "passwordAddress");
  await takeForAccount(ctx, "password", email);
  const user = await ctx.db.user.findUnique({ where: { email } });
  const matches = await ctx.hasher.verify(user?.passwordHash ?? ctx.hasher.decoy, password);
  if (!user || !matches) throw new ServiceError("unauthorized", "The email or the password is wrong.");
  const membership = await ctx.db.membership.findFirst({
    where: { userId: user.id },
    orderBy: [{ createdAt: "asc" }, { tenantId: "asc" }],
  });
  if (!membership) {
    throw new ServiceError("forbidden", "This account belongs to no tenant any more; ask for a new invitation.", {
      details: { reason: "no_tenant" },
    });
  }
  return openSession(ctx, user, membership.tenantId);
}
