import { z } from "zod";
import { takeForAddress } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import type { VisitorCtx } from "../identity-ctx";
import { announceAccessChange } from "../session-tokens/session-token";
import { claimToken, findToken } from "./auth-token";
import { replacePassword } from "./replace-password";
import { Password, userTarget } from "./user";

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
  const user = await ctx.db.$transaction(async (tx) => {
    const userId = await claimToken(tx, claim);
    const changed = await replacePassword(tx, { userId, passwordHash });
    const change = { action: "user.password_reset", targets: [userTarget(changed)] };
    await appendForUser(tx, { userId, at: claim.now, request: ctx.request }, change);
    return changed;
  });
  await announceAccessChange(ctx.counters, user.id);
  return { email: user.email };
}
