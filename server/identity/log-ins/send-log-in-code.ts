import { z } from "zod";
import { tryTake } from "../attempts";
import { StoredRequest } from "../audit/stored-request";
import type { AccountCtx } from "../identity-ctx";
import { logInCodeEmail } from "../users/email-templates";
import { Email } from "../users/user";
import { issueLogInCode } from "./log-in-code";
import { recordFailedSignIn } from "./record-failed-sign-in";

/** The task of every login that requested a code, whether or not its password was correct. */
export const SEND_LOG_IN_CODE = "send_log_in_code";

export const SendLogInCode = z.object({
  email: Email,
  /** The account whose password was correct; null: none. */
  userId: z.string().nullable(),
  at: z.coerce.date(),
  request: StoredRequest,
});

export type CodeEmailCtx = Pick<AccountCtx, "db" | "clock" | "counters" | "mail" | "logInKey">;

/** Emails a code if the password was correct, a few times per hour; otherwise records the failed login. */
export async function sendLogInCode(
  ctx: CodeEmailCtx,
  { email, userId, at, request }: z.output<typeof SendLogInCode>,
): Promise<void> {
  const { db, mail } = ctx;
  if (userId === null) return recordFailedSignIn(ctx, { email, at, request });
  // Without SMTP, an operator command creates the code.
  if (mail.delivery !== "smtp" || !(await tryTake(ctx, "logInCode", userId)).allowed) return;
  await db.$transaction(async (tx) => {
    const { code } = await issueLogInCode(ctx, tx, userId);
    await mail.send(tx, { ...logInCodeEmail({ email, code }), tenantId: null });
  });
}
