import { z } from "zod";
import { appendForUser } from "../audit/append-for-user";
import type { AccountCtx } from "../identity-ctx";
import { requireAccount } from "../users/find-account";
import { Email, userTarget } from "../users/user";
import { issueLogInCode } from "./log-in-code";

export const IssueLogInCodeByOperator = z.object({ email: Email });

/** Creates a login code valid for ten minutes, for installations without email. Throws `not_found`. */
export async function issueLogInCodeByOperator(
  ctx: Pick<AccountCtx, "db" | "clock" | "logInKey">,
  { email }: z.output<typeof IssueLogInCodeByOperator>,
): Promise<{ email: string; code: string; expires_at: string }> {
  const user = await requireAccount(ctx.db, email);
  const { code, expiresAt } = await ctx.db.$transaction(async (tx) => {
    const issued = await issueLogInCode(ctx, tx, user.id);
    const origin = { userId: user.id, at: ctx.clock.now(), actor: { type: "operator" }, request: undefined } as const;
    await appendForUser(tx, origin, { action: "user.log_in_code_issued", targets: [userTarget(user)] });
    return issued;
  });
  return { email, code, expires_at: expiresAt.toISOString() };
}
