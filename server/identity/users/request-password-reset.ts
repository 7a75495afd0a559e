import { z } from "zod";
import { addJob } from "../../engines/jobs/add-job";
import { takeForAccount, takeForAddress } from "../attempts";
import { StoredRequest } from "../audit/stored-request";
import type { VisitorCtx } from "../identity-ctx";
import { Email } from "./user";

export const RequestPasswordReset = z.object({ email: Email });

/** The task that looks the account up, after the caller has been answered. */
export const SEND_PASSWORD_RESET = "send_password_reset";

/**
 * Asks for a letter with a link. Whether the address has an account shows neither in the answer nor in its time: all
 * that happens before it is one job. Throws `rate_limited` per address of either kind.
 */
export async function requestPasswordReset(
  ctx: VisitorCtx,
  { email }: z.output<typeof RequestPasswordReset>,
): Promise<{ accepted: true }> {
  await takeForAddress(ctx, "mailAddress");
  await takeForAccount(ctx, "mail", email);
  if (ctx.mail.delivery !== "none") {
    await addJob(ctx.db, SEND_PASSWORD_RESET, { email, request: StoredRequest.parse(ctx.request) });
  }
  return { accepted: true };
}
