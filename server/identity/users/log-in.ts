import { z } from "zod";
import type { VisitorCtx } from "../identity-ctx";
import { chooseTenant } from "../sessions/choose-tenant";
import { openSession, type SignedIn } from "../sessions/open-session";
import { provePassword } from "./prove-password";
import { Email, PasswordAttempt } from "./user";

export const LogIn = z.object({ email: Email, password: PasswordAttempt });

/**
 * Opens a session in the tenant that the person joined first. Unknown account and wrong password are the same
 * `unauthorized` after the same work. Throws `rate_limited` per account and per address, `forbidden` for somebody who
 * belongs to no tenant any more.
 */
export async function logIn(ctx: VisitorCtx, input: z.output<typeof LogIn>): Promise<SignedIn> {
  const user = await provePassword(ctx, input);
  return openSession(ctx, user, await chooseTenant(ctx, user.id, undefined));
}
