import { z } from "zod";
import { addJob } from "../../engines/jobs/add-job";
import { takeForAccount, takeForAddress } from "../attempts";
import { StoredRequest } from "../audit/stored-request";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { Email } from "../users/user";
import { userExample } from "../users/user.example";

/** The task that looks the account up after the response. */
export const SEND_PASSWORD_RESET = "send_password_reset";

/**
 * Requests an email with a reset link. Neither the response nor its timing reveals whether the address has an account,
 * since a job does all the work. Throws `rate_limited` by network address and by email address.
 */
export const requestPasswordReset = publicOperation({
  id: "requestPasswordReset",
  summary: "Request an email with a password reset link",
  access: "public",
  input: z.object({ email: Email }),
  output: z.object({ accepted: z.literal(true) }),
  example: { input: { email: userExample.email }, output: { accepted: true } },
  run: async (ctx: VisitorCtx, { email }) => {
    await takeForAddress(ctx, "mailAddress");
    await takeForAccount(ctx, "mail", email);
    if (ctx.mail.delivery !== "none") {
      await addJob(ctx.db, SEND_PASSWORD_RESET, { email, request: StoredRequest.parse(ctx.request) });
    }
    return { accepted: true as const };
  },
});
