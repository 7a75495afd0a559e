import { z } from "zod";
import { takeForAddress } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { claimToken, findToken } from "./auth-token";
import { replacePassword } from "./replace-password";
import { Password } from "./user";

export const ResetPassword = z.object({ token: z.string(), password: Password });

/**
 * Sets a new password by a mailed link: it works once, within an hour, and ends every session. Throws
 * `invalid_request` for a token that is used, old or unknown.
 */
export async function resetPassword(
  ctx: VisitorCtx,
  { token, password }: z.output<typeof ResetPassword>,
): Promise<{ email: string }> {
  await takeForAddress(ctx, "tokenAddress");
  const claim = { token, kind: "reset_password", now: ctx.clock.now() } as const;
  // Hashing is the costly part: a bad token does not get that far, and no lock waits for it.
  await findToken(ctx.db, claim);
  const passwordHash = await ctx.hasher.hash(password);
  return ctx.db.$transaction(async (tx) => {
    const userId = await claimToken(tx, claim);
    return replacePassword(tx, { userId, passwordHash });
  });
}
