import { z } from "zod";
import { EXAMPLE_TOKEN } from "../../operation/example";
import { announceAccessChange } from "../access-changed";
import { takeForAddress } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { claimToken, findToken } from "../users/auth-token";
import { Password, userTarget } from "../users/user";
import { passwordExample, userExample } from "../users/user.example";
import { replacePassword } from "./replace-password";

/**
 * Sets a new password with an emailed link that works once within an hour, and ends every session. Throws
 * `invalid_request` for a token that is used, expired or unknown.
 */
export const resetPassword = publicOperation({
  id: "resetPassword",
  summary: "Set a new password with a reset link",
  access: "public",
  input: z.object({ token: z.string(), password: Password }),
  output: z.object({ email: z.string() }),
  example: { input: { token: EXAMPLE_TOKEN, password: passwordExample }, output: { email: userExample.email } },
  run: async (ctx: VisitorCtx, { token, password }) => {
    await takeForAddress(ctx, "tokenAddress");
    const claim = { token, kind: "reset_password", now: ctx.clock.now() } as const;
    // Hashing is expensive: it runs only for a valid token, and before any lock is taken.
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
  },
});
